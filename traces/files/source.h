/** @file source.h
 *  Where the lines of each rank come from: all forms of a trace (docs/formats.md) reduced to one
 *  stream of bytes a rank, either a file read in place or a stream of a spool.  Knows ranks and
 *  files, not actions.
 */
#ifndef TRACES_FILES_SOURCE_H
#define TRACES_FILES_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/files/text.h"

enum { SOURCE_RANKS_MAX = 1 << 20 };

struct source;

/** Opens an index, a merged file, a folder or an archive; refuses one that takes more than
 *  @p unpack_limit bytes of temporary files.  The caller's: source_free(). */
enum status source_open(struct source **out, const char *path, uint64_t unpack_limit,
                        struct err *e);

/** Accepts NULL. */
void source_free(struct source *s);

/** At least 1. */
uint32_t source_ranks(const struct source *s);

/** The files on disk that the trace was read from, the one it was opened by or its index first,
 *  then those that an index names; NULL past the last. */
const char *source_input(const struct source *s, size_t i);

/** The file that the lines of @p rank stand in, for messages: "a.tar.zst/ranks/rank-0003.txt". */
const char *source_file(const struct source *s, uint32_t rank);

/** Whether each line is preceded by its number in the file and a blank, as those of a merged file
 *  are, since each rank has only some of its lines. */
bool source_numbered(const struct source *s);

/** Bytes of the rank's file on disk, be it compressed, when the trace was opened; 0: not known. */
uint64_t source_size(const struct source *s, uint32_t rank);

/** The beginning of the rank's lines; to be read while @p s is there. */
struct text_cursor source_start(struct source *s, uint32_t rank);

#endif

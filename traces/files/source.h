/** @file source.h
 *  The lines of each rank as bytes.  Converts all forms of a trace on disk (docs/formats.md) to one
 *  byte stream for each rank: a file read in place or a stream of a spool.  Does not parse actions.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/files/text.h"

enum { SOURCE_RANKS_MAX = 1 << 20 };

struct source;

/** Opens an index, a merged file, a folder or an archive; "-" is standard input.  Fails if the
 *  trace needs more than @p unpack_limit bytes of temporary files.  Free with source_free(). */
enum status source_open(struct source **out, const char *path, uint64_t unpack_limit,
                        struct err *e);

/** Accepts NULL. */
void source_free(struct source *s);

/** Number of ranks, at least 1. */
uint32_t source_ranks(const struct source *s);

/** Path of file @p i from which the trace is read: 0 is the opened file or its index, the next ones
 *  are the files that the index names; NULL past the last. */
const char *source_input(const struct source *s, size_t i);

/** Name of the file with the lines of @p rank, for messages: "a.tar.zst/ranks/rank-0003.txt". */
const char *source_file(const struct source *s, uint32_t rank);

/** True if each line of a stream is preceded by its line number in the file and a blank, as for
 *  merged files, of which each rank has only some lines. */
bool source_numbered(const struct source *s);

/** Bytes of the rank's file on disk, possibly compressed, at opening; 0: not known. */
uint64_t source_size(const struct source *s, uint32_t rank);

/** A cursor at the first line of @p rank, valid until source_free(). */
struct text_cursor source_start(struct source *s, uint32_t rank);

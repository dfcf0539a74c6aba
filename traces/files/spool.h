/** @file spool.h
 *  Streams of bytes in one unnamed temporary file (in TMPDIR, else /tmp): where unpacked and split
 *  traces wait to be read, so that they take disk and not memory.  Streams may be written in turn
 *  and grow to any length; each is a chain of chunks.
 */
#ifndef TRACES_FILES_SPOOL_H
#define TRACES_FILES_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

struct spool;

/** Where a reader stands in a stream; a value, from spool_start(). */
struct spool_cursor {
  uint64_t next; /**< offset of the next chunk, 0: none */
  uint64_t at;   /**< offset of the next byte of this chunk */
  uint64_t left; /**< bytes left in this chunk */
};

/** Bytes that a trace may unpack to where nobody says otherwise. */
#define SPOOL_LIMIT (UINT64_C(4) << 30)

/** Refuses what would make its streams longer than @p limit bytes together, in the name of @p name,
 *  the trace.  The file is created when something is written.  The caller's: spool_free(). */
enum status spool_new(struct spool **out, const char *name, uint64_t limit, struct err *e);

/** Accepts NULL. */
void spool_free(struct spool *s);

/** Begins an empty stream; streams are numbered from 0 in the order of these calls. */
enum status spool_add(struct spool *s, uint32_t *stream, struct err *e);

/** Appends to a stream.  Up to 64 KiB of it, less with many streams, stay in memory. */
enum status spool_append(struct spool *s, uint32_t stream, const void *data, size_t size,
                         struct err *e);

/** Puts the last bytes on disk and frees the stream's memory; needed before it is read. */
enum status spool_flush(struct spool *s, uint32_t stream, struct err *e);

struct spool_cursor spool_start(const struct spool *s, uint32_t stream);

/** Reads up to @p room bytes; *got is 0 only at the end of the stream. */
enum status spool_read(const struct spool *s, struct spool_cursor *c, char *buffer, size_t room,
                       size_t *got, struct err *e);

#endif

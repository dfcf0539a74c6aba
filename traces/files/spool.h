/** @file spool.h
 *  Byte streams in one unnamed temporary file (in TMPDIR, by default /tmp), which hold unpacked and
 *  split traces on disk instead of in memory.  Writes to different streams may alternate: each
 *  stream is a chain of chunks.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

struct spool;

/** A position in a stream, from spool_start().  May be copied. */
struct spool_cursor {
  uint64_t next; /**< offset of the next chunk, 0: none */
  uint64_t at;   /**< offset of the next byte of this chunk */
  uint64_t left; /**< bytes left in this chunk */
};

/** Default limit of the bytes of an unpacked trace. */
#define SPOOL_LIMIT (UINT64_C(4) << 30)

/** Makes a spool for streams of at most @p limit bytes together.  Errors name the trace, @p name.
 *  The file is created on the first write.  Free with spool_free(). */
enum status spool_new(struct spool **out, const char *name, uint64_t limit, struct err *e);

/** Accepts NULL. */
void spool_free(struct spool *s);

/** Adds an empty stream.  Streams are numbered from 0 in the order of these calls. */
enum status spool_add(struct spool *s, uint32_t *stream, struct err *e);

/** Appends to a stream.  Up to 64 KiB per stream, less with many streams, stay in memory. */
enum status spool_append(struct spool *s, uint32_t stream, const void *data, size_t size,
                         struct err *e);

/** Writes the stream's last bytes to disk and frees its memory.  Required before the stream is
 *  read. */
enum status spool_flush(struct spool *s, uint32_t stream, struct err *e);

/** A cursor at the beginning of a flushed stream. */
struct spool_cursor spool_start(const struct spool *s, uint32_t stream);

/** Reads up to @p room bytes; *got is 0 only at the end of the stream. */
enum status spool_read(const struct spool *s, struct spool_cursor *c, char *buffer, size_t room,
                       size_t *got, struct err *e);

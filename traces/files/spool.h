/** @file spool.h
 *  Byte streams in one unnamed temporary file (in TMPDIR, else /tmp), which hold unpacked and split
 *  traces on disk instead of in memory.  Writes to different streams may alternate: each stream is
 *  a chain of chunks.
 */
#ifndef TRACES_FILES_SPOOL_H
#define TRACES_FILES_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

struct spool;

/** A position in a stream, from spool_start(); a value. */
struct spool_cursor {
  uint64_t next; /**< offset of the next chunk, 0: none */
  uint64_t at;   /**< offset of the next byte of this chunk */
  uint64_t left; /**< bytes left in this chunk */
};

/** The default limit of the bytes that a trace may unpack to. */
#define SPOOL_LIMIT (UINT64_C(4) << 30)

/** Makes a spool whose streams may hold @p limit bytes together; errors name the trace, @p name.
 *  The file is created on the first write.  The caller's: spool_free(). */
enum status spool_new(struct spool **out, const char *name, uint64_t limit, struct err *e);

/** Accepts NULL. */
void spool_free(struct spool *s);

/** Begins an empty stream; streams are numbered from 0 in the order of these calls. */
enum status spool_add(struct spool *s, uint32_t *stream, struct err *e);

/** Appends to a stream.  Up to 64 KiB of it, less with many streams, stay in memory. */
enum status spool_append(struct spool *s, uint32_t stream, const void *data, size_t size,
                         struct err *e);

/** Writes the stream's last bytes to disk and frees its memory; required before reading it. */
enum status spool_flush(struct spool *s, uint32_t stream, struct err *e);

/** A cursor at the beginning of a flushed stream. */
struct spool_cursor spool_start(const struct spool *s, uint32_t stream);

/** Reads up to @p room bytes; *got is 0 only at the end of the stream. */
enum status spool_read(const struct spool *s, struct spool_cursor *c, char *buffer, size_t room,
                       size_t *got, struct err *e);

#endif

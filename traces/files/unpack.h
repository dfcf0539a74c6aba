/** @file unpack.h
 *  Reads files with libarchive: plain text, compressed text (gzip, bzip2, xz, lzma, lzip, zstd,
 *  lz4) or the members of a tar or zip, compressed or not.  Starts no other program.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "traces/files/spool.h"

struct unpack;

enum unpack_form {
  UNPACK_PLAIN,      /**< neither compressed nor an archive; also an empty file */
  UNPACK_COMPRESSED, /**< one compressed text */
  UNPACK_ARCHIVE     /**< members with names */
};

/** Opens the file @p path.  Free with unpack_free(). */
enum status unpack_file(struct unpack **out, const char *path, struct err *e);

/** Opens a flushed stream of @p s.  Errors name the stream @p name.  @p s must outlive *out. */
enum status unpack_stream(struct unpack **out, struct spool *s, uint32_t stream, const char *name,
                          struct err *e);

/** Accepts NULL. */
void unpack_free(struct unpack *u);

/** The form found by unpack_file() or unpack_stream(). */
enum unpack_form unpack_form(const struct unpack *u);

/** Advances to the next file in the archive, on the first call to the first one; skips folders and
 *  links.  *name, valid until the next call, is NULL at the end. */
enum status unpack_next(struct unpack *u, const char **name, struct err *e);

/** Size of the current file of an archive in bytes; UINT64_MAX if the archive does not state it. */
uint64_t unpack_size(const struct unpack *u);

/** Writes the current file to @p f and adds its size to *bytes, which must not exceed @p limit.
 *  Fails for sparse files. */
enum status unpack_write(struct unpack *u, FILE *f, uint64_t limit, uint64_t *bytes, struct err *e);

/** Copies the current file to a new stream and flushes it.  Fails for sparse files and if the
 *  spool's limit is exceeded. */
enum status unpack_copy(struct unpack *u, struct spool *s, uint32_t *stream, struct err *e);

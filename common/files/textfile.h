/** @file textfile.h
 *  Reads the bytes of a text file or of standard input, compressed or not.  Traces use
 *  traces/files/unpack.h, since they may also be archives.
 */
#pragma once

#include <stddef.h>

#include "common/err.h"

struct archive;
struct textfile;

/** Enables the gzip, bzip2, xz, lzma, lzip, zstd and lz4 filters of libarchive, but no filter that
 *  runs another program. */
void textfile_support_filters(struct archive *a);

/** Opens @p path, or standard input if it is "-".  Errors call it @p name.  Both strings must
 *  outlive *out.  On success the caller owns *out: textfile_close(). */
enum status textfile_open(struct textfile **out, const char *path, const char *name, struct err *e);

/** Stores up to @p room uncompressed bytes.  *got is 0 only at the end. */
enum status textfile_read(struct textfile *t, char *buffer, size_t room, size_t *got,
                          struct err *e);

/** Accepts NULL. */
void textfile_close(struct textfile *t);

/** Reads a whole file, which is opened like textfile_open(), without the byte order mark of UTF-8
 *  at its beginning.  Refuses NULs and more than @p most bytes.  A NUL terminator follows the
 *  *length bytes.  The caller frees *bytes with free(). */
enum status textfile_load(char **bytes, size_t *length, const char *path, const char *name,
                          size_t most, struct err *e);

/** Like textfile_load(), but does not decompress, keeps the mark, and "-" is the name of a file. */
enum status textfile_load_plain(char **bytes, size_t *length, const char *path, size_t most,
                                struct err *e);

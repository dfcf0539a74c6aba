/** @file textfile.h
 *  The bytes of a text file, or of standard input, which may be compressed.  Traces have a reader
 *  of their own (traces/files/unpack.h): they may be archives, too.
 */
#ifndef COMMON_TEXTFILE_H
#define COMMON_TEXTFILE_H

#include <stddef.h>

#include "common/err.h"

struct archive;
struct textfile;

/** Makes libarchive undo gzip, bzip2, xz, lzma, lzip, zstd and lz4, but no filter that runs another
 *  program. */
void textfile_support_filters(struct archive *a);

/** Opens @p path, or standard input if it is "-"; @p name is for errors, and both outlive *out.  On
 *  success *out is the caller's: textfile_close(). */
enum status textfile_open(struct textfile **out, const char *path, const char *name, struct err *e);

/** Stores up to @p room uncompressed bytes; *got is 0 only at the end. */
enum status textfile_read(struct textfile *t, char *buffer, size_t room, size_t *got,
                          struct err *e);

/** Accepts NULL. */
void textfile_close(struct textfile *t);

/** Reads all of a text of at most @p most bytes, without NULs, as textfile_open().  *bytes is the
 *  caller's: free(); it has a NUL behind its *length bytes. */
enum status textfile_load(char **bytes, size_t *length, const char *path, const char *name,
                          size_t most, struct err *e);

#endif

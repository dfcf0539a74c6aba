/** @file checksum.h
 *  SHA-256 of inputs, in hexadecimal: what `sha256sum` prints for a file.
 */
#ifndef CLI_CHECKSUM_H
#define CLI_CHECKSUM_H

#include <stdint.h>

#include "common/err.h"

/** Room for a checksum as text. */
#define CHECKSUM_SIZE 65

enum status checksum_file(const char *path, char *hex, struct err *e);

void checksum_text(const char *text, char *hex);

/** Of a trace in files: that of its file or, if it has several, of the list of their checksums,
 *  each with a newline, the index first.  Fails only if a file cannot be read: whether the trace
 *  is right is not its business, but *ranks is 0 if it cannot be opened as one. */
enum status checksum_trace(const char *path, uint64_t unpack_limit, char *hex, uint32_t *ranks,
                           struct err *e);

#endif

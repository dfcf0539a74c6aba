/** @file checksum.h
 *  SHA-256 of inputs, in hexadecimal: what `sha256sum` prints for a file.
 */
#ifndef CAMPAIGN_CHECKSUM_H
#define CAMPAIGN_CHECKSUM_H

#include <stdint.h>

#include "common/err.h"
#include "traces/trace.h"

/** Room for a checksum as text. */
#define CHECKSUM_SIZE 65

enum status checksum_file(const char *path, char *hex, struct err *e);

void checksum_text(const char *text, char *hex);

/** Of a trace in files: that of its file or, if it has several, of the list of their checksums,
 *  each with a newline, the index first. */
enum status checksum_trace(const struct trace *t, char *hex, struct err *e);

#endif

/** @file checksum.h
 *  SHA-256 of inputs in hexadecimal, as `sha256sum` prints it.
 */
#pragma once

#include "common/err.h"
#include "platforms/platform.h"
#include "tasks/tasknet.h"
#include "traces/trace.h"

/** Bytes of a checksum string, final NUL included: the size of every @p hex below. */
#define CHECKSUM_SIZE 65

/** Computes the checksum of a file.  Fails if the file cannot be read; @p hex is then unchanged. */
enum status checksum_file(const char *path, char *hex, struct err *e);

/** Checksum of the bytes of @p text without its final NUL. */
void checksum_text(const char *text, char *hex);

/** Computes the checksum of the platform file @p path; NULL: the platform is a spec that reads
 *  files.  If the platform has other files, such as profiles, it is the checksum of a list of file
 *  checksums, one per line, the platform first. */
enum status checksum_platform(const struct platform *p, const char *path, char *hex, struct err *e);

/** Computes the checksum of the task network file @p path.  If programs are in other files, it is
 *  the checksum of a list of file checksums, one per line, the network first. */
enum status checksum_tasknet(const struct tasknet *n, const char *path, char *hex, struct err *e);

/** Computes the checksum of a trace that is read from files, not generated.  For several files it
 *  is the checksum of the list of their checksums, one per line, in the order of trace_input(). */
enum status checksum_trace(const struct trace *t, char *hex, struct err *e);

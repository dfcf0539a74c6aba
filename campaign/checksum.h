/** @file checksum.h
 *  SHA-256 of inputs, in hexadecimal: what `sha256sum` prints for a file.
 */
#ifndef CAMPAIGN_CHECKSUM_H
#define CAMPAIGN_CHECKSUM_H

#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "tasks/tasknet.h"
#include "traces/trace.h"

/** Bytes of a checksum as a string, final NUL included: the size of every @p hex below. */
#define CHECKSUM_SIZE 65

/** Checksum of a file.  Fails if it cannot be read; @p hex is then untouched. */
enum status checksum_file(const char *path, char *hex, struct err *e);

/** Checksum of the bytes of @p text without its final NUL. */
void checksum_text(const char *text, char *hex);

/** Checksum of a platform's file @p path; with profiles in files, that of the list of their
 *  checksums, one a line, the platform's first. */
enum status checksum_platform(const struct platform *p, const char *path, char *hex, struct err *e);

/** Checksum of a task network's file @p path; with programs in files of their own, that of the list
 *  of their checksums, one a line, the network's first. */
enum status checksum_tasknet(const struct tasknet *n, const char *path, char *hex, struct err *e);

/** Checksum of a trace read from files, not generated.  One file: its checksum.  Several: that of
 *  the list of their checksums, one a line, in the order of trace_input(). */
enum status checksum_trace(const struct trace *t, char *hex, struct err *e);

#endif

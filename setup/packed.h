/** @file packed.h
 *  Trace files of ranks, compressed while they were recorded (record/out.h).  PATH has the last
 *  window of the text, bytes of earlier windows that were changed after their compression, and NUL
 *  bytes elsewhere.  PATH.zst has the other windows as frames of zstd.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/** Puts all of the text, @p size bytes, into PATH.zst and removes PATH.  Writes PATH.zst anew only
 *  if it lacks text, because the rank was killed, or if bytes were changed.  An incomplete frame at
 *  its end is dropped.  O(size) time, constant memory. */
enum status packed_finish(const char *path, uint64_t size, struct err *e);

/** Stores the last bytes of the text of a compressed file, at most @p room - 1 and a NUL byte, and
 *  the length of the text in *size. */
enum status packed_ending(const char *path, char *text, size_t room, uint64_t *size, struct err *e);

/** Number of lines of a file, compressed or not; 0 if it cannot be read. */
uint64_t packed_lines(const char *path);

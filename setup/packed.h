/** @file packed.h
 *  Files of ranks that the recorder compressed (record/out.h): PATH has the text of the last window
 *  and the bytes that were changed later, and NUL bytes elsewhere; PATH.zst has the rest.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/** Puts all of the text, @p size bytes, into PATH.zst and removes PATH.  Writes PATH.zst anew only
 *  if it lacks text, because the rank was killed, or if bytes were changed.  An incomplete frame at
 *  its end is dropped.  O(size) time, constant memory. */
enum status packed_finish(const char *path, uint64_t size, struct err *e);

/** Stores the last bytes of a compressed file, at most @p room - 1 and a NUL byte, and its length
 *  without compression. */
enum status packed_ending(const char *path, char *text, size_t room, uint64_t *size, struct err *e);

/** Number of lines of a file, compressed or not; 0 if it cannot be read. */
uint64_t packed_lines(const char *path);

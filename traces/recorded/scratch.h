/** @file scratch.h
 *  Private to traces/: an unnamed temporary file (in TMPDIR, by default /tmp) that is appended to,
 *  corrected in places, and read again at any place.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/** Bytes of the temporary files of a trace together. */
struct scratch_budget {
  uint64_t limit, used;
};

/** Zeroed: an empty file without a limit. */
struct scratch {
  int fd;                        /**< plus 1; 0: no file yet */
  uint64_t flushed;              /**< bytes in the file; what follows is in the buffer */
  unsigned char *buffer;         /**< owned */
  size_t used;                   /**< bytes in the buffer */
  struct scratch_budget *budget; /**< NULL: no limit; borrowed */
  const char *name;              /**< of the trace, for messages; borrowed */
};

/** Charges @p size bytes to the budget of the file, if it has one.  Fails if the budget is
 *  exceeded. */
enum status scratch_take(const struct scratch *s, size_t size, struct err *e);

/** Offset of the next byte that is appended. */
static inline uint64_t scratch_end(const struct scratch *s)
{
  return s->flushed + s->used;
}

/** Appends @p size bytes, at most SCRATCH_PIECE. */
#define SCRATCH_PIECE 65536
enum status scratch_append(struct scratch *s, const void *data, size_t size, struct err *e);

/** Overwrites @p size bytes that were appended at offset @p at in one piece. */
enum status scratch_correct(struct scratch *s, uint64_t at, const void *data, size_t size,
                            struct err *e);

/** Writes the buffer to the file; required before scratch_read(). */
enum status scratch_flush(struct scratch *s, struct err *e);

/** Reads @p size bytes from offset @p at on, which must exist. */
enum status scratch_read(const struct scratch *s, uint64_t at, void *data, size_t size,
                         struct err *e);

/** Closes the file.  Leaves an empty one. */
void scratch_clear(struct scratch *s);

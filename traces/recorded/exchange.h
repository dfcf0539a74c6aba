/** @file exchange.h
 *  Private to traces/: checks the messages of a recorded trace: whether each one is sent and
 *  received, and which ones were received before they were sent, by the clocks of the ranks.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/recorded/records.h"

struct exchange_end {
  uint32_t src, dst, comm;
  int32_t tag;
};

struct exchange {
  uint64_t messages;           /**< sent and received with equal size, or with room if not exact */
  uint64_t unreceived, unsent; /**< sent only; received only */
  struct exchange_end not_received, not_sent; /**< one of each, if there are any */
  uint64_t misfits;           /**< received with another size than they were sent with */
  struct exchange_end misfit; /**< the first of these */
  uint64_t waiting;           /**< largest number of messages with one side read, the other not */
  uint64_t backward;          /**< received before they were sent */
  uint64_t largest;           /**< largest time between receive and send of these, in ticks */
  uint64_t *shift; /**< by rank: ticks to add to its clock so that no message is received before it
                      is sent; owned by the caller: free(); NULL if backward is 0 or no shift
                      achieves this */
};

/** Compares the messages of all ranks.  @p exact: receives have the sizes of their messages, and
 *  not of their buffers.  Receives from any source or of any tag do not count.  Memory is
 *  proportional to the messages in flight (out->waiting) and to the pairs of ranks, and grows
 *  neither with the length of the trace nor with the differences of the clocks. */
enum status exchange_check(struct exchange *out, const struct records *r, bool exact,
                           struct err *e);

/** @file tally.h
 *  Messages, rounds and bytes of one call of a collective by an algorithm.  They are counted by
 *  executing the operations of all ranks, without simulated time.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/collectives/picked.h"

struct tally {
  uint64_t messages; /**< of all ranks */
  /** Length of the longest chain of dependent messages.  Message B depends on message A if the
   *  sender or the receiver of B has waited for A before it posts B.  Sends are synchronous. */
  uint64_t rounds;
  uint64_t bytes; /**< sent by the rank that sends most */
};

/** Counts the messages of algorithm collective_algorithm(kind, i).  call->bytes is at most
 *  INT32_MAX.  *out is unchanged on failure.  Takes O(ranks^2 + messages + passes * ranks) time,
 *  where each pass over the ranks completes at least one message, and O(ranks^2) memory. */
enum status tally_call(struct tally *out, enum action_kind kind, size_t i,
                       const struct picked_call *call, struct err *e);

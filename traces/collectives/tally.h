/** @file tally.h
 *  Messages, rounds and bytes of one call of a collective by an algorithm.  They are counted by
 *  carrying out the operations of all ranks, not derived.  Does not depend on simulated time.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/collectives/picked.h"

struct tally {
  uint64_t messages; /**< of all ranks */
  /** Messages in the longest chain in which each depends on the one before: its sender or its
   *  receiver posts it after waiting for that one.  Sends are synchronous. */
  uint64_t rounds;
  uint64_t bytes; /**< sent by the rank that sends most */
};

/** Counts for algorithm number @p i of @p kind.  O(messages) time and O(ranks^2) memory. */
enum status tally_call(struct tally *out, enum action_kind kind, size_t i,
                       const struct picked_call *call, struct err *e);

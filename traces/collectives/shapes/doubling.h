/** @file doubling.h
 *  Private to traces/: recursive doubling as in MPICH, for any number of ranks.  In round k a rank
 *  and the rank that differs in bit k exchange the data of their subtrees (2^k consecutive ranks).
 *  A rank without this partner receives the data from another rank of its subtree.
 */
#pragma once

#include "traces/collectives/lower.h"

struct doubling {
  int32_t tag;
  /** Bytes that the subtree of ranks @p first .. @p first + @p size - 1, of which the last may not
   *  exist, sends to its partner. */
  uint64_t (*bytes)(const struct lowering *l, uint64_t first, uint64_t size);
};

/** Upper bound of the number of steps. */
uint64_t doubling_steps(const struct lowering *l);

/** Step @p i; false if the rank has none.  If l->rank counts from a root, so does the peer. */
bool doubling_step(const struct lowering *l, uint64_t i, const struct doubling *d, struct op *op);

/** @file doubling.h
 *  Private to traces/: recursive doubling as in MPICH, over any number of ranks.  In round k a rank
 *  and the one whose number differs in bit k exchange what their subtrees (2^k consecutive ranks)
 *  have.  Where that partner does not exist, a rank gets the data from another of its subtree that
 *  had one.
 */
#ifndef TRACES_COLLECTIVES_DOUBLING_H
#define TRACES_COLLECTIVES_DOUBLING_H

#include "traces/collectives/lower.h"

struct doubling {
  int32_t tag;
  /** Bytes that the subtree of @p size ranks from @p first on gives to its partner: some of these
   *  ranks may be above the last, never the first. */
  uint64_t (*bytes)(const struct lowering *l, uint64_t first, uint64_t size);
};

/** Upper bound of the steps. */
uint64_t doubling_steps(const struct lowering *l);

/** Step @p i; false if the rank has none.  l->rank may count from a root: so does the peer then. */
bool doubling_step(const struct lowering *l, uint64_t i, const struct doubling *d, struct op *op);

#endif

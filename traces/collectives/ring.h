/** @file ring.h
 *  Private to traces/: blocks that go around a ring, a rank ahead in each round.  There are as many
 *  blocks as ranks.  In round k (from 0) a rank sends block rank - first - k to the rank after it,
 *  and receives the block before that one from the rank before it.
 */
#ifndef TRACES_COLLECTIVES_RING_H
#define TRACES_COLLECTIVES_RING_H

#include "traces/collectives/lower.h"

struct ring {
  int32_t tag;
  uint32_t first; /**< below the number of ranks */
  uint64_t phase; /**< handed to bytes */
  uint64_t (*bytes)(const struct lowering *l, uint32_t block, uint64_t phase);
};

/** Steps of a ring: one round less than there are ranks. */
uint64_t ring_steps(const struct lowering *l);

/** Step @p i: each round is an exchange, as SMPI's Request::sendrecv. */
bool ring_step(const struct lowering *l, const struct ring *r, uint64_t i, struct op *op);

/** Steps of a ring of reductions. */
uint64_t ring_reduce_steps(const struct lowering *l);

/** Step @p i: a rank posts its next receive before it waits for the one ahead, whose block it then
 *  sends. */
bool ring_reduce_step(const struct lowering *l, const struct ring *r, uint64_t i, struct op *op);

#endif

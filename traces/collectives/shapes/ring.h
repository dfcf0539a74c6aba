/** @file ring.h
 *  Private to traces/: blocks that move around a ring by one rank per round.  There is one block
 *  per rank.  In round k (from 0) a rank sends block rank - first - k to the next rank and receives
 *  the block before it from the previous rank.
 */
#pragma once

#include "traces/collectives/lower.h"

struct ring {
  int32_t tag;
  uint32_t first; /**< offset of the first block, see above; below the number of ranks */
  uint64_t phase; /**< passed to bytes() */
  /** Bytes of a block. */
  uint64_t (*bytes)(const struct lowering *l, uint32_t block, uint64_t phase);
};

/** Number of steps of a ring, which has ranks - 1 rounds. */
uint64_t ring_steps(const struct lowering *l);

/** Step @p i.  Each round is an exchange, as SMPI's Request::sendrecv. */
bool ring_step(const struct lowering *l, const struct ring *r, uint64_t i, struct op *op);

/** Number of steps of a ring of reductions. */
uint64_t ring_reduce_steps(const struct lowering *l);

/** Step @p i.  In each round a rank posts its next receive, waits for the previous receive, and
 *  sends the block received. */
bool ring_reduce_step(const struct lowering *l, const struct ring *r, uint64_t i, struct op *op);

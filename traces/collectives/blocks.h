/** @file blocks.h
 *  Private to traces/: steps that allgather and allgatherv share.  Each rank contributes a block;
 * all have the same size (allgather) or those of recvcounts (allgatherv).
 */
#ifndef TRACES_COLLECTIVES_BLOCKS_H
#define TRACES_COLLECTIVES_BLOCKS_H

#include "traces/collectives/lower.h"

/** Bytes of the blocks of @p n ranks from @p first on, around the ring of all ranks. */
uint64_t blocks_bytes(const struct lowering *l, uint64_t first, uint64_t n);

/** LOWER_TAG_ALLGATHER or LOWER_TAG_ALLGATHERV. */
int32_t blocks_tag(const struct lowering *l);

/** Rounds of one block from each rank to each (rounds.h): step @p i of rounds_steps(). */
bool blocks_rounds_step(const struct lowering *l, uint64_t i, bool exclusive_or, struct op *op);
bool blocks_ring_step(const struct lowering *l, uint64_t i, struct op *op);
bool blocks_pair_step(const struct lowering *l, uint64_t i, struct op *op);

/** Bruck's algorithm: in round k a rank sends the first 2^k blocks it has, its own first, to the
 *  rank 2^k behind. */
uint64_t blocks_bruck_steps(const struct lowering *l);
bool blocks_bruck_step(const struct lowering *l, uint64_t i, struct op *op);

/** Neighbours exchange what they received last, in turn with the one above and the one below; an
 * odd number of ranks does blocks_ring_step(). */
uint64_t blocks_neighbor_steps(const struct lowering *l);
bool blocks_neighbor_step(const struct lowering *l, uint64_t i, struct op *op);

/** Recursive doubling (doubling.h). */
bool blocks_doubling_step(const struct lowering *l, uint64_t i, struct op *op);

#endif

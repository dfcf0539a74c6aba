/** @file blocks.h
 *  Private to traces/: steps shared by allgather and allgatherv.  Each rank contributes one block.
 *  Blocks have equal sizes (allgather) or the sizes in recvcounts (allgatherv).
 */
#pragma once

#include "traces/collectives/lower.h"

/** Bytes of the blocks of @p n consecutive ranks from @p first on; ranks wrap around. */
uint64_t blocks_bytes(const struct lowering *l, uint64_t first, uint64_t n);

/** Step @p i (below rounds_steps()) of rounds in which each rank sends its block to one rank and
 *  receives a block from one rank; the variant is ROUNDS_SHIFT or ROUNDS_XOR (rounds.h). */
bool blocks_rounds_step(const struct lowering *l, uint64_t i, struct op *op);

/** Bruck's algorithm: in round k a rank sends its first 2^k blocks, beginning with its own, to the
 *  rank 2^k before it.  Number of steps: lower_rounds_steps(). */
bool blocks_bruck_step(const struct lowering *l, uint64_t i, struct op *op);

/** Neighbour exchange: a rank exchanges the blocks received last, alternately with the next and the
 *  previous rank.  An odd number of ranks uses blocks_rounds_step(). */
uint64_t blocks_neighbor_steps(const struct lowering *l);
bool blocks_neighbor_step(const struct lowering *l, uint64_t i, struct op *op);

/** Recursive doubling (doubling.h). */
bool blocks_doubling_step(const struct lowering *l, uint64_t i, struct op *op);

/** @file rounds.h
 *  Private to traces/: pairwise exchanges, a partner or two a round, of all-to-all collectives.
 */
#ifndef TRACES_COLLECTIVES_ROUNDS_H
#define TRACES_COLLECTIVES_ROUNDS_H

#include "traces/collectives/lower.h"

/** The partners of a round: one for both directions (exclusive or), or @p round ranks ahead (dst)
 *  and behind (src). */
struct lower_exchange rounds_partners(const struct lowering *l, uint64_t round, bool exclusive_or);

/** LOWER_TAG_ALLTOALLV where there are counts by rank, else LOWER_TAG_ALLTOALL. */
int32_t rounds_tag(const struct lowering *l);

/** Steps of as many rounds as there are ranks. */
uint64_t rounds_steps(const struct lowering *l);

/** Step @p i of them: blocks of lower_bytes_to() and lower_bytes_from(). */
bool rounds_step(const struct lowering *l, uint64_t i, bool exclusive_or, struct op *op);

/** The same with light barriers: after a round, the ranks exchange a byte with the partners of the
 *  next one, against the direction of its blocks. */
uint64_t rounds_light_steps(const struct lowering *l);
bool rounds_light_step(const struct lowering *l, uint64_t i, bool exclusive_or, struct op *op);

/** Piece @p k of the same with a barrier, as it is chosen, before each round. */
const struct lower_algorithm *rounds_barrier_piece(const struct lowering *l, uint32_t k,
                                                   bool exclusive_or, struct lowering *sub);

#endif

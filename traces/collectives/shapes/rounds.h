/** @file rounds.h
 *  Private to traces/: pairwise exchanges of all-to-all collectives, with one or two partners per
 *  round.
 */
#ifndef TRACES_COLLECTIVES_SHAPES_ROUNDS_H
#define TRACES_COLLECTIVES_SHAPES_ROUNDS_H

#include "traces/collectives/lower.h"

/** The partners of a round: one for both directions (exclusive or), or the ranks @p round ahead
 *  (dst) and behind (src). */
struct lower_exchange rounds_partners(const struct lowering *l, uint64_t round, bool exclusive_or);

/** LOWER_TAG_ALLTOALLV if there are counts by rank, or LOWER_TAG_ALLTOALL. */
int32_t rounds_tag(const struct lowering *l);

/** Number of steps, with one round per rank. */
uint64_t rounds_steps(const struct lowering *l);

/** Step @p i, below rounds_steps(): blocks of lower_bytes_to() and lower_bytes_from(). */
bool rounds_step(const struct lowering *l, uint64_t i, bool exclusive_or, struct op *op);

/** As rounds_step(), with light barriers: after a round, a rank exchanges one byte with the
 *  partners of the next round, against the direction of its blocks. */
uint64_t rounds_light_steps(const struct lowering *l);
bool rounds_light_step(const struct lowering *l, uint64_t i, bool exclusive_or, struct op *op);

/** Piece @p k of rounds with a barrier, by its chosen algorithm, before each round. */
const struct lower_algorithm *rounds_barrier_piece(const struct lowering *l, uint32_t k,
                                                   bool exclusive_or, struct lowering *sub);

#endif

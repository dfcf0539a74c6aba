/** @file rounds.h
 *  Private to traces/: pairwise exchanges of all-to-all collectives, with one or two partners per
 *  round.
 */
#pragma once

#include "traces/collectives/lower.h"

/** Variants of the algorithms that take these steps. */
enum {
  ROUNDS_SHIFT, /**< sends to rank + round, receives from rank - round, modulo the ranks */
  ROUNDS_XOR    /**< exchanges with rank XOR round if the number of ranks is a power of two; as
                   ROUNDS_SHIFT for other numbers, for which SMPI's algorithms fail */
};

/** The partners of round @p round, as an exchange of messages without bytes. */
struct lower_exchange rounds_partners(const struct lowering *l, uint64_t round, int32_t tag);

/** LOWER_TAG_ALLTOALLV if there are counts by rank, else LOWER_TAG_ALLTOALL. */
int32_t rounds_tag(const struct lowering *l);

/** Number of steps, with one round per rank. */
uint64_t rounds_steps(const struct lowering *l);

/** Step @p i, below rounds_steps(): blocks of lower_bytes_to() and lower_bytes_from(). */
bool rounds_step(const struct lowering *l, uint64_t i, struct op *op);

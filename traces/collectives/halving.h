/** @file halving.h
 *  Private to traces/: recursive halving and doubling over the ranks of a fold, as Rabenseifner's
 *  algorithms do it.  In round k a rank and the one whose number differs in bit k share what they
 *  both have; doubling takes the rounds back.
 */
#ifndef TRACES_COLLECTIVES_HALVING_H
#define TRACES_COLLECTIVES_HALVING_H

#include "traces/collectives/fold.h"

enum halving_split {
  HALVING_BLOCKS, /**< a block for each rank, all alike but the last, which has the rest too */
  HALVING_HALVES  /**< each round splits into halves; the upper one has the odd element */
};

struct halving {
  struct fold fold;
  enum halving_split split;
  uint64_t count; /**< elements of the whole */
  uint64_t size;  /**< bytes of an element */
  int32_t tag;
};

/** Rounds of halving, and of doubling. */
static inline uint32_t halving_rounds(const struct halving *h)
{
  return lower_rounds(h->fold.pof2);
}

/** Bytes that @p number is left with after @p level rounds of halving. */
uint64_t halving_part(const struct halving *h, uint32_t number, uint32_t level);

/** Step @p i of the exchanges of all rounds of halving, or (@p doubling) of all rounds of doubling;
 *  false where the rank steps aside.  Below halving_steps(). */
bool halving_step(const struct halving *h, bool doubling, uint64_t i, struct op *op);

static inline uint64_t halving_steps(const struct halving *h)
{
  return (uint64_t)halving_rounds(h) * LOWER_EXCHANGE_STEPS;
}

/** Step @p i (below HALVING_PAIR_STEPS) of what Rabenseifner's own algorithms do first: a pair
 *  exchanges halves of its data, and the rank that steps aside returns its sum. */
bool halving_pair_step(const struct halving *h, const struct lowering *l, uint64_t i,
                       struct op *op);
#define HALVING_PAIR_STEPS (LOWER_EXCHANGE_STEPS + 1)

#endif

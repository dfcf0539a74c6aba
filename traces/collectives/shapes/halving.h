/** @file halving.h
 *  Private to traces/: recursive halving and doubling over the largest power of two of the ranks
 *  (pow2.h), as in Rabenseifner's algorithms.  In round k a rank and the rank that differs in bit k
 *  divide the data that both have.  Doubling reverses the rounds.
 */
#pragma once

#include "traces/collectives/shapes/pow2.h"

enum halving_split {
  HALVING_BLOCKS, /**< equal blocks, one per rank; the last one also has the remainder */
  HALVING_HALVES  /**< each round splits the data into halves; the upper half has the odd element */
};

struct halving {
  struct pow2 pow2;
  enum halving_split split;
  uint64_t count; /**< elements of the whole message */
  uint64_t size;  /**< bytes of an element */
  int32_t tag;
};

/** The halving of the collective @p l; @p odd: as in pow2_of(). */
struct halving halving_of(const struct lowering *l, bool odd, enum halving_split split,
                          int32_t tag);

/** Number of rounds of halving, and of doubling. */
static inline uint32_t halving_rounds(const struct halving *h)
{
  return lower_rounds(h->pow2.pof2);
}

/** Bytes left to the rank with number @p number after @p level rounds of halving. */
uint64_t halving_part(const struct halving *h, uint32_t number, uint32_t level);

/** Step @p i (below halving_steps()) of the exchanges of halving, or of doubling if @p doubling;
 *  false if the rank steps aside. */
bool halving_step(const struct halving *h, bool doubling, uint64_t i, struct op *op);

static inline uint64_t halving_steps(const struct halving *h)
{
  return (uint64_t)halving_rounds(h) * LOWER_EXCHANGE_STEPS;
}

/** Step @p i (below HALVING_PAIR_STEPS) of the first phase of Rabenseifner's own algorithms: a pair
 *  exchanges halves of its data, and the rank that steps aside returns its sum. */
bool halving_pair_step(const struct halving *h, const struct lowering *l, uint64_t i,
                       struct op *op);
#define HALVING_PAIR_STEPS (LOWER_EXCHANGE_STEPS + 1)

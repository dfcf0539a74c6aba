/** @file pow2.h
 *  Private to traces/: reduces the number of ranks to the largest power of two.  In each of the
 *  first `rest` pairs of ranks (0 and 1, 2 and 3, ...) one rank steps aside, and the ranks that
 *  stay are renumbered.
 */
#pragma once

#include "traces/collectives/lower.h"

/** The number of a rank that steps aside. */
#define POW2_ASIDE UINT32_MAX

struct pow2 {
  uint32_t pof2;   /**< number of ranks that stay: the largest power of two <= all ranks */
  uint32_t rest;   /**< number of pairs */
  uint32_t number; /**< of this rank among the ranks that stay, or POW2_ASIDE */
  bool odd;        /**< the odd rank of a pair stays */
};

/** Reduces the ranks of @p l.  @p odd: the odd rank of each pair stays, otherwise the even one. */
struct pow2 pow2_of(const struct lowering *l, bool odd);

/** The rank with number @p number. */
uint32_t pow2_rank(const struct pow2 *p, uint32_t number);

/** True if @p rank is in a pair. */
static inline bool pow2_paired(const struct pow2 *p, uint32_t rank)
{
  return rank < 2 * p->rest;
}

/** The message within a pair. */
struct pow2_message {
  int32_t tag;
  uint64_t bytes;
  bool in; /**< true: to the rank that stays; false: back to the rank that stepped aside */
};

/** Gives the rank's operation for the message of its pair; false if it is in no pair. */
bool pow2_step(const struct pow2 *p, const struct lowering *l, const struct pow2_message *m,
               struct op *op);

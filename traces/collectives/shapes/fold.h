/** @file fold.h
 *  Private to traces/: reduces the ranks to a power of two.  In each of the first pairs of ranks (0
 *  and 1, 2 and 3, ...) one rank steps aside; the other ranks are renumbered.
 */
#ifndef TRACES_COLLECTIVES_SHAPES_FOLD_H
#define TRACES_COLLECTIVES_SHAPES_FOLD_H

#include "traces/collectives/lower.h"

/** The number of a rank that steps aside. */
#define FOLD_ASIDE UINT32_MAX

struct fold {
  uint32_t pof2;   /**< number of ranks that stay: the largest power of two <= all ranks */
  uint32_t rest;   /**< number of pairs */
  uint32_t number; /**< of this rank among the ranks that stay, or FOLD_ASIDE */
  bool odd;        /**< the odd rank of a pair stays */
};

/** The fold of the ranks of @p l; @p odd: the odd rank of a pair stays. */
struct fold fold_of(const struct lowering *l, bool odd);

/** The rank with number @p number. */
uint32_t fold_rank(const struct fold *f, uint32_t number);

/** True if @p rank is in a pair. */
static inline bool fold_paired(const struct fold *f, uint32_t rank)
{
  return rank < 2 * f->rest;
}

/** The message within a pair. */
struct fold_message {
  int32_t tag;
  uint64_t bytes;
  bool in; /**< true: to the rank that stays; false: back to the rank that stepped aside */
};

/** Gives the rank's operation for the message of its pair; false if it is in no pair. */
bool fold_step(const struct fold *f, const struct lowering *l, const struct fold_message *m,
               struct op *op);

#endif

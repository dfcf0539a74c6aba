/** @file fold.h
 *  Private to traces/: a power of two of the ranks.  Of each of the first pairs of ranks (0 and 1,
 * 2 and 3, ..) one steps aside; those that stay are numbered anew.
 */
#ifndef TRACES_COLLECTIVES_FOLD_H
#define TRACES_COLLECTIVES_FOLD_H

#include "traces/collectives/lower.h"

/** The number of a rank that steps aside. */
#define FOLD_ASIDE UINT32_MAX

struct fold {
  uint32_t pof2;   /**< the ranks that stay: the largest power of two within the ranks */
  uint32_t rest;   /**< pairs of which one steps aside */
  uint32_t number; /**< of this rank among those that stay, or FOLD_ASIDE */
  bool odd;        /**< of a pair the odd rank stays */
};

/** The fold of the ranks of @p l; @p odd: the odd rank of a pair stays. */
struct fold fold_of(const struct lowering *l, bool odd);

/** The rank of number @p number. */
uint32_t fold_rank(const struct fold *f, uint32_t number);

/** Is @p rank in one of the pairs? */
static inline bool fold_paired(const struct fold *f, uint32_t rank)
{
  return rank < 2 * f->rest;
}

/** The message of a pair. */
struct fold_message {
  int32_t tag;
  uint64_t bytes;
  bool in; /**< to the rank that stays; else back to the one that steps aside */
};

/** The rank's operation for the message of its pair; false if it is in no pair. */
bool fold_step(const struct fold *f, const struct lowering *l, const struct fold_message *m,
               struct op *op);

#endif

/** @file moves.h
 *  Changes of a mapping, small and large, for a search that can do no more than try them.  A
 *  mapping is a permutation here: at[i] is the slot of rank i, and for i from the number of
 *  ranks on, of an empty place.  A host has as many slots, one after the other, as it takes
 *  ranks.
 */
#ifndef MAPPERS_TUNE_MOVES_H
#define MAPPERS_TUNE_MOVES_H

#include "common/rng.h"
#include "mappers/mapper.h"

/** The kinds of changes. */
enum move {
  MOVE_SWAP,   /**< two ranks, or a rank and an empty place */
  MOVE_JOIN,   /**< a rank beside a partner */
  MOVE_HOSTS,  /**< a box of hosts: two layers, or two axes, change places */
  MOVE_RANKS,  /**< the same of ranks, by the digits of their numbers */
  MOVE_ROTATE, /**< a run of ranks: each takes the place of another one */
  MOVES
};

struct moves;

/** What @p in points to outlives it.  On success *out is the caller's: moves_free(). */
enum status moves_new(struct moves **out, const struct mapper_input *in, struct err *e);

/** Accepts NULL. */
void moves_free(struct moves *m);

/** Entries of a mapping: all slots. */
uint32_t moves_slots(const struct moves *m);

/** Writes to @p to a mapping that differs from @p at by a change of kind @p kind. */
void moves_make(struct moves *m, enum move kind, struct rng *r, const uint32_t *at, uint32_t *to);

#endif

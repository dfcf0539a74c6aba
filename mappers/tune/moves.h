/** @file moves.h
 *  Random changes of a mapping, small and large, for a search that knows only the scores of the
 *  changed mappings.  Here a mapping is a permutation of the slots (mapper_hosts()): at[i] is the
 *  slot of rank i, or of an empty place if i is not below the number of ranks.  Slots beyond the
 *  capacity of a host stay empty if they are empty.
 */
#pragma once

#include "common/arena.h"
#include "common/numeric/rng.h"
#include "mappers/mapper.h"
#include "mappers/simulator.h"

/** The kinds of changes. */
enum move {
  MOVE_SWAP,   /**< exchanges two ranks, or a rank and an empty place */
  MOVE_JOIN,   /**< moves a rank near a partner */
  MOVE_HOSTS,  /**< exchanges two values of a digit, or two digits, in the numbers of some hosts
                    (digits.h) */
  MOVE_RANKS,  /**< the same in the numbers of some ranks */
  MOVE_ROTATE, /**< rotates or reverses up to 9 ranks with a common difference */
  MOVE_BLAMED, /**< moves a rank near a partner, like MOVE_JOIN; the more time a pair costs, the
                  more often it is drawn: moves_blame() */
  MOVES
};

struct moves;

/** @p in must outlive *out, with everything that it points to.  *out belongs to the arena. */
enum status moves_new(struct moves **out, const struct mapper_input *in, struct arena *mem);

/** The number of slots, and of entries of a mapping. */
uint32_t moves_slots(const struct moves *m);

/** Sets @p at to the mapping with rank r on host @p host[r]: ranks take the lowest free slots of
 *  their hosts in order, empty places the remaining slots, last the slots beyond the capacity of a
 *  host. */
enum status moves_place(const struct moves *m, const uint32_t *host, uint32_t *at, struct err *e);

/** Sets the times of pairs for MOVE_BLAMED.  Without pairs, MOVE_BLAMED is MOVE_JOIN. */
enum status moves_blame(struct moves *m, const struct mapper_blame *blame, size_t count,
                        struct err *e);

/** Writes to @p to a copy of @p at with a change of kind @p kind. */
void moves_make(struct moves *m, enum move kind, struct rng *r, const uint32_t *at, uint32_t *to);

/** @file grid_gains.h
 *  A placement on a grid and what each step would change: for every slot, the change of
 *  hop-bytes if its tenant went to the next host up or down an axis.  Hops are sums over axes, so a
 *  step on several axes changes the sum of what its parts do.
 */
#ifndef MAPPERS_GENERAL_GRID_GAINS_H
#define MAPPERS_GENERAL_GRID_GAINS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "mappers/general/graph.h"
#include "mappers/general/target.h"

#define GAINS_NOBODY UINT32_MAX

enum {
  GAINS_MOST_MOVES = 2 * GRID_MAX_DIMS,
  GAINS_BEYOND = 8 /**< entries after the last slot that may be read */
};

/** What a step of task u changes of its hops to v. */
struct gains_turn {
  int8_t up, down;
};

/** What a move by one host does; hosts: 0 if there is none, across the rim of a mesh. */
struct gains_leap {
  int32_t hosts; /**< to be added to the host's number */
  int32_t to;    /**< the coordinate there */
};

/** Tasks are numbered by their first slots, so that what is near on the machine is near in memory.
 *  A move is a step on an axis: up, then down; on a side of two the only one. */
struct gains {
  const struct target *m;
  struct graph g;
  uint32_t nd, moves;
  uint8_t axis[GAINS_MOST_MOVES], opposite[GAINS_MOST_MOVES]; /**< by move */
  uint8_t first[GRID_MAX_DIMS];                               /**< by axis: its first move */
  uint32_t stride[GRID_MAX_DIMS];                             /**< in hosts */
  struct gains_turn *turns, *turn[GRID_MAX_DIMS];             /**< by axis and v - u */
  struct gains_leap *leaps, *leap[GAINS_MOST_MOVES];          /**< by move and coordinate */
  uint32_t *at;                            /**< by slot: its tenant, or GAINS_NOBODY */
  int32_t *changes, *by[GAINS_MOST_MOVES]; /**< by move and slot: the change; 0 of nobody */
  uint32_t *slot;                          /**< by task, as the following */
  int16_t *pos;                            /**< coordinates; nd of each */
  uint32_t *old;                           /**< the caller's number */
};

/** Does the machine fit?  No side is longer than 32,767. */
bool gains_fit(const struct target *m);

/** The machine must fit.  O(arcs * axes).  gains_clear() also after a failure. */
enum status gains_new(struct gains *s, const struct target *m, const struct graph *g,
                      const uint32_t *slot, struct err *e);

/** Accepts a zeroed one. */
void gains_clear(struct gains *s);

/** Exchanges what is in two slots, of which task @p v is in one.  O(degrees * axes that differ). */
void gains_exchange(struct gains *s, uint32_t v, uint32_t target);

/** Exchanges what is in two slots of one host, which changes no hops.  O(axes). */
void gains_swap_tenants(struct gains *s, uint32_t a, uint32_t b);

static inline uint32_t gains_host(const struct gains *s, uint32_t slot)
{
  return s->m->per_host == 1 ? slot : slot / s->m->per_host;
}

/** Has the axis two moves? */
static inline bool gains_two_ways(const struct gains *s, uint32_t d)
{
  return s->m->side[d] > 2;
}

#endif

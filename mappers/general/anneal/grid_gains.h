/** @file grid_gains.h
 *  A placement on a grid and its gains: for every slot, the change of hop-bytes if its task moved
 *  to the next host up or down an axis.  Hops are sums over axes, so the change by a move along
 *  several axes is the sum of the changes of its steps.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "mappers/general/target.h"
#include "mappers/graph.h"

#define GAINS_NOBODY UINT32_MAX

enum {
  GAINS_MOST_MOVES = 2 * GRID_MAX_DIMS,
  GAINS_BEYOND = 8 /**< readable entries after the last slot */
};

/** The changes of the hops from task u to v if u steps up or down. */
struct gains_turn {
  int8_t up, down;
};

/** The host that a move leads to; hosts is 0 if the move would cross the rim of a mesh. */
struct gains_leap {
  int32_t hosts; /**< difference of the host numbers */
  int32_t to;    /**< coordinate after the move */
};

/** Tasks are numbered in the order of their slots, so that tasks near each other on the machine are
 *  near in memory.  A move is a step on an axis.  Each axis has two moves, up and then down; an
 *  axis of two hosts has one. */
struct gains {
  const struct target *m;
  struct graph g;
  uint32_t nd, moves;
  uint8_t axis[GAINS_MOST_MOVES], opposite[GAINS_MOST_MOVES]; /**< by move */
  uint8_t first[GRID_MAX_DIMS];                               /**< by axis: its first move */
  uint32_t stride[GRID_MAX_DIMS];                             /**< in hosts */
  struct gains_turn *turns, *turn[GRID_MAX_DIMS];             /**< by axis and v - u */
  struct gains_leap *leaps, *leap[GAINS_MOST_MOVES];          /**< by move and coordinate */
  uint32_t *at;                            /**< by slot: its task, or GAINS_NOBODY */
  int32_t *changes, *by[GAINS_MOST_MOVES]; /**< by move and slot: the change; 0 for empty slots */
  uint32_t *slot;                          /**< by task, as the following arrays */
  int16_t *pos;                            /**< coordinates, nd per task */
  uint32_t *old;                           /**< the task's number in the caller's graph */
};

/** True if no side of the grid is longer than 32,767. */
bool gains_fit(const struct target *m);

/** Requires gains_fit().  O(arcs * axes). */
enum status gains_new(struct gains *s, const struct target *m, const struct graph *g,
                      const uint32_t *slot, struct arena *mem);

/** Exchanges task @p v with the content of slot @p target.  O(degrees * axes on which the hosts
 *  differ). */
void gains_exchange(struct gains *s, uint32_t v, uint32_t target);

/** Exchanges the contents of two slots of one host, which changes no hops.  O(axes). */
void gains_swap_slots(struct gains *s, uint32_t a, uint32_t b);

static inline uint32_t gains_host(const struct gains *s, uint32_t slot)
{
  return s->m->per_host == 1 ? slot : slot / s->m->per_host;
}

/** True if the axis has two moves. */
static inline bool gains_two_ways(const struct gains *s, uint32_t d)
{
  return s->m->side[d] > 2;
}

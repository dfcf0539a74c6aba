/** @file target.h
 *  The machine that tasks are placed on: the slots of its hosts and the distances between hosts.  A
 *  grid is described by its sides.  Any other platform is described by the distances between its
 *  groups of alike hosts: hops on a topology, latencies without one (platforms/distances.h).
 *
 *  Host h has the slots h * per_host to h * per_host + per_host - 1.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/host_groups.h"
#include "platforms/platform.h"
#include "platforms/topology/grid.h"

/** Limit of the number of groups of hosts. */
#define TARGET_MOST_GROUPS 8192

struct target {
  uint32_t hosts, per_host, slots;
  uint32_t ndims; /**< of a grid; 0: the machine is not a grid */
  uint32_t side[GRID_MAX_DIMS];
  bool wraps[GRID_MAX_DIMS];       /**< by axis: its ends are neighbours */
  uint64_t inverse[GRID_MAX_DIMS]; /**< by axis: 2^64 / side, rounded up, for target_split() */
  bool cube;                 /**< all sides are 2: hops are the bits in which two hosts differ */
  struct host_groups groups; /**< of alike hosts, owned; none on a grid */
  bool latencies;            /**< distances are latencies, not hops */
  uint16_t *distance;        /**< by pair of groups, owned: sum of the hops of both directions, or
                                  latencies, scaled so that the largest is 65534; diagonal: between
                                  hosts of a group */
};

/** Describes the machine of @p p, which must not be opaque.  Fails if it has more than
 *  TARGET_MOST_GROUPS groups or if two hosts have no route.  O(groups^2) routes.  The caller frees
 *  @p m with target_clear(). */
enum status target_new(struct target *m, const struct platform *p, uint32_t per_host,
                       struct err *e);

/** Describes a box of hosts of the grid @p m.  An axis of the box is a ring only if the box spans
 *  the whole ring.  Sides of one host get no axis.  @p box owns nothing. */
void target_box(struct target *box, const struct target *m, const uint32_t *side);

/** The host of @p m that is host @p h of the box with lowest corner low[] and sides side[]. */
uint32_t target_box_host(const struct target *m, const uint32_t *low, const uint32_t *side,
                         uint32_t h);

/** Sets slot[v] to a slot of host[v], for @p n tasks: the tasks of a host take its slots in order.
 *  @p fill: scratch, an entry per host. */
void target_slots(const struct target *m, const uint32_t *host, uint32_t n, uint32_t *fill,
                  uint32_t *slot);

/** Accepts a zeroed struct. */
void target_clear(struct target *m);

/** The distances from the group of host @p h, by group.  Not for grids. */
static inline const uint16_t *target_row(const struct target *m, uint32_t h)
{
  return m->distance + (size_t)m->groups.of[h] * m->groups.count;
}

/** Returns the coordinate of *@p host on an axis of a grid and divides *@p host by the side, for
 *  the next axis.  Multiplies, which is faster than a division. */
static inline uint32_t target_split(const struct target *m, uint32_t axis, uint32_t *host)
{
  const uint32_t row = (uint32_t)((unsigned __int128)m->inverse[axis] * *host >> 64);
  const uint32_t at = *host - row * m->side[axis];
  *host = row;
  return at;
}

/** Hops between two coordinates on an axis of a grid. */
static inline uint32_t target_along(const struct target *m, uint32_t axis, uint32_t a, uint32_t b)
{
  const uint32_t d = a > b ? a - b : b - a;
  return m->wraps[axis] && d > m->side[axis] - d ? m->side[axis] - d : d;
}

/** Mean hops between two random hosts of a grid. */
double target_random_hops(const struct target *m);

/** Hops between two hosts of a grid; on other machines, the distance of their groups.  0 if both
 *  are the same host. */
uint32_t target_hops(const struct target *m, uint32_t a, uint32_t b);

/** @file target.h
 *  Where tasks go: the slots of a platform's hosts, and how far they are from each other.  A
 *  grid is known by its sides; any other platform by the distances between its groups of alike
 *  hosts: hops on a topology, latencies elsewhere (mappers/distances.h).
 *
 *  Host h has the slots h * per_host to h * per_host + per_host - 1.
 */
#ifndef MAPPERS_GENERAL_TARGET_H
#define MAPPERS_GENERAL_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "platforms/topology/grid.h"

/** Most groups of hosts. */
#define TARGET_MOST_GROUPS 8192

struct target {
  uint32_t hosts, per_host, slots;
  uint32_t ndims; /**< of a grid; 0: none */
  uint32_t side[GRID_MAX_DIMS];
  bool wraps[GRID_MAX_DIMS];    /**< by side: its ends are neighbours */
  uint64_t part[GRID_MAX_DIMS]; /**< by side: 2^64 divided by it, rounded up: see target_split() */
  bool cube;                    /**< all sides are 2: hops are the bits in which hosts differ */
  uint32_t groups;              /**< of no grid; else 0 */
  bool latencies;               /**< the distances are such, not hops */
  uint32_t *group;              /**< by host; owned */
  uint16_t *distance;           /**< by pair of groups, owned: hops there and back, or latencies in
                                     a unit of their own; on the diagonal between two hosts of it */
};

/** The machine of @p p, which is not opaque.  Fails on more than TARGET_MOST_GROUPS groups, and
 *  if two hosts have no route.  O(groups^2) routes.  On success @p m is the caller's:
 *  target_clear(). */
enum status target_new(struct target *m, const struct platform *p, uint32_t per_host,
                       struct err *e);

/** Makes @p part a box of hosts of a grid: a ring only along whole sides, and no axis where the
 *  side is one host.  It owns nothing. */
void target_box(struct target *part, const struct target *m, const uint32_t *side);

/** The host of @p m that is host @p h of the box at low[] of these sides. */
uint32_t target_box_host(const struct target *m, const uint32_t *low, const uint32_t *side,
                         uint32_t h);

/** Accepts a zeroed one. */
void target_clear(struct target *m);

/** A host's coordinate on an axis of a grid; *@p host becomes the number of its row on the axes
 *  after that.  Multiplies where a division would take long. */
static inline uint32_t target_split(const struct target *m, uint32_t axis, uint32_t *host)
{
  const uint32_t row = (uint32_t)((unsigned __int128)m->part[axis] * *host >> 64);
  const uint32_t at = *host - row * m->side[axis];
  *host = row;
  return at;
}

/** Hops between coordinates on an axis of a grid. */
static inline uint32_t target_along(const struct target *m, uint32_t axis, uint32_t a, uint32_t b)
{
  const uint32_t d = a > b ? a - b : b - a;
  return m->wraps[axis] && d > m->side[axis] - d ? m->side[axis] - d : d;
}

/** Mean hops between random hosts of a grid. */
double target_random_hops(const struct target *m);

/** Hops between two hosts of a grid, else the distance of their groups; 0 if they are one. */
uint32_t target_hops(const struct target *m, uint32_t a, uint32_t b);

#endif

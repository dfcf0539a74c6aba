/** @file box.h
 *  Boxes of hosts in a grid, for parts of platforms.  For platforms/ only.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/topology/grid.h"

/** A box that no route between its hosts leaves.  On a torus, a side has at most half the hosts of
 *  the ring, rounded up, or both hosts of a ring of 2; the box may contain the wrap-around. */
struct box {
  uint32_t low;                 /**< the host at the lowest corner */
  uint32_t side[GRID_MAX_DIMS]; /**< one for each dimension of the grid */
  uint32_t hosts;               /**< product of the sides; 0: no box */
};

/** Finds the box in the set @p host of @p n hosts of the grid @p t that has the fewest hosts, but
 *  at least @p least; of equal ones, the box with the smallest sum of sides, then the first in the
 *  order of @p host.  The whole grid is a box too.  O(n * hosts / X side).  Fails unless
 *  box_is_searchable(). */
enum status box_find(struct box *out, const struct topology *t, const uint32_t *host, uint32_t n,
                     uint32_t least, struct err *e);

/** True if box_find() takes at most 2^28 steps for @p n hosts. */
bool box_is_searchable(const struct topology *t, uint32_t n);

/** The box of all hosts. */
struct box box_whole(const struct topology *t);

/** True if the coordinates of the hosts allow a box with all of them.  False if a side of the grid
 *  has more than 4096 hosts.  O(n). */
bool box_is_likely(const struct topology *t, const uint32_t *host, uint32_t n);

/** The host of @p t that is host @p h of the box, X varying fastest. */
uint32_t box_host(const struct box *b, const struct topology *t, uint32_t h);

/** @file region.h
 *  Parts of a machine that are halved recursively: boxes of a grid, or runs of groups in an order
 *  in which near groups are together.
 */
#ifndef MAPPERS_GENERAL_CUT_REGION_H
#define MAPPERS_GENERAL_CUT_REGION_H

#include <stdbool.h>
#include <stdint.h>

#include "common/arena.h"
#include "mappers/general/target.h"

struct region {
  uint32_t low[GRID_MAX_DIMS], side[GRID_MAX_DIMS]; /**< on a grid */
  uint32_t axis;                                    /**< on a grid: axis of the cut that made it */
  uint32_t from, to;                                /**< on other machines: range in the order */
};

struct regions {
  const struct target *m;
  bool even;        /**< halve runs near the middle, not where groups are farthest apart */
  uint32_t *order;  /**< groups, near ones together */
  uint16_t *gap;    /**< by place: distance to the nearest group before it */
  uint32_t *before; /**< by place: hosts of the groups before it; with one more entry at the end */
};

/** Prepares the regions of a machine, which must outlive them.  O(groups^2).  Fails also if an
 *  earlier request of the arena has failed. */
enum status regions_new(struct regions *r, const struct target *m, struct arena *mem);

/** For machines that are not grids: true if the groups are leaves of a tree, where two groups are
 *  as far apart as the largest gap between their places.  Each cut then splits the groups at their
 *  largest distance: all distances between the halves are equal.
 *  O(groups^2). */
bool regions_are_tree(const struct regions *r);

/** The whole machine. */
struct region region_all(const struct regions *r);

/** The number of slots of a region. */
uint32_t region_slots(const struct regions *r, const struct region *x);

/** True if all hosts of the region are alike, so that it need not be halved. */
bool region_is_even(const struct regions *r, const struct region *x);

/** Halves a region that is not even.  A box is cut across its longest side.  A run is cut where
 *  groups are farthest apart, nearest to the middle if there are several places; with regions.even,
 *  nearest to the middle. */
void region_split(const struct regions *r, const struct region *x, struct region half[2]);

/** Hops there and back between two regions: between the middles of boxes, or between the first
 *  groups of runs.  If the groups are leaves of a tree (regions_are_tree()), all groups of the two
 *  halves of a run are as far apart, unless regions.even is set. */
uint32_t region_hops(const struct regions *r, const struct region *x, const struct region *y);

/** The hops there and back by which region @p x is farther from the second half of another region
 *  than from the first, by region_hops().  O(1). */
int32_t region_farther(const struct regions *r, const struct region half[2],
                       const struct region *x);

/** Host @p i of a box, or of a run of one group. */
uint32_t region_host(const struct regions *r, const struct region *x, uint32_t i);

#endif

/** @file region.h
 *  Parts of a machine that are halved recursively: boxes of a grid, or runs of groups (target.h) in
 *  an order in which near groups are together.
 */
#pragma once

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
  bool near_middle; /**< runs are halved nearest to the middle, not where groups are farthest apart;
                         set by the caller */
  uint32_t *order;  /**< groups, near ones together */
  uint16_t *gap;    /**< by place: distance to the nearest group before it */
  uint32_t *before; /**< by place: number of hosts in the groups before it; with one more entry at
                         the end */
};

/** Prepares the regions of a machine, which must outlive them.  Fails also if an earlier request of
 *  the arena has failed.  O(groups^2). */
enum status regions_new(struct regions *r, const struct target *m, struct arena *mem);

/** For machines that are not grids: true if the groups are leaves of a tree, so that the distance
 *  of two groups is the largest gap between their places.  All distances between the halves of a
 *  run are then equal.  O(groups^2). */
bool regions_are_tree(const struct regions *r);

/** The whole machine. */
struct region region_all(const struct regions *r);

/** The number of slots of a region. */
uint32_t region_slots(const struct regions *r, const struct region *x);

/** True if the region need not be halved: it is one host of a grid, or one group. */
bool region_is_uniform(const struct regions *r, const struct region *x);

/** Halves a region that is not uniform.  A box is cut across its longest side.  A run is cut at its
 *  largest gap, of several the nearest to the middle; with near_middle, all gaps count as equal. */
void region_split(const struct regions *r, const struct region *x, struct region half[2]);

/** The distance of two regions: twice the hops between the middles of boxes, or the distance
 *  (target.h) of the first groups of runs. */
uint32_t region_hops(const struct regions *r, const struct region *x, const struct region *y);

/** The distance of region @p x from the second half of another region minus its distance from the
 *  first half, by region_hops().  O(1). */
int32_t region_farther(const struct regions *r, const struct region half[2],
                       const struct region *x);

/** Host @p i of a box, or of a run of one group. */
uint32_t region_host(const struct regions *r, const struct region *x, uint32_t i);

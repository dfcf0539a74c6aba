/** @file region.h
 *  Parts of a machine that are halved again and again: boxes of a grid, or runs of groups in an
 *  order in which near groups are together.
 */
#ifndef MAPPERS_GENERAL_REGION_H
#define MAPPERS_GENERAL_REGION_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "mappers/general/target.h"

struct region {
  uint32_t low[GRID_MAX_DIMS], side[GRID_MAX_DIMS]; /**< of a grid */
  uint32_t axis;                                    /**< of a grid: of the cut that made it */
  uint32_t from, to;                                /**< else: of the order */
};

struct regions {
  const struct target *m;
  bool even;        /**< runs are halved next to the middle, not where groups are farthest apart */
  uint32_t *order;  /**< groups, those near each other together; owned, as the following */
  uint16_t *gap;    /**< by place: hops from the nearest group before it */
  uint32_t *before; /**< by place: hosts of the groups before it; one more at the end */
  uint32_t *hosts;  /**< by group, then by number */
  uint32_t *first;  /**< by group: its first host in hosts[] */
};

/** Prepares the regions of a machine, which outlives them.  O(groups^2).  The caller's:
 *  regions_clear(). */
enum status regions_new(struct regions *r, const struct target *m, struct err *e);

/** Accepts a zeroed one. */
void regions_clear(struct regions *r);

/** Of a machine that is no grid: are the groups the leaves of a tree, as far apart as the largest
 * gap on the way from one to the other?  Then halving tells distances apart exactly.  O(groups^2).
 */
bool regions_are_tree(const struct regions *r);

/** The whole machine. */
struct region region_all(const struct regions *r);

/** Slots of a region. */
uint32_t region_slots(const struct regions *r, const struct region *x);

/** Are all hosts of the region alike, so that it need not be halved? */
bool region_is_even(const struct regions *r, const struct region *x);

/** Halves a region that is not even: a box across its longest side, a run where groups are farthest
 *  apart, next to the middle, or at the middle (regions.even). */
void region_split(const struct regions *r, const struct region *x, struct region half[2]);

/** Hops there and back between the middles of two regions. */
uint32_t region_hops(const struct regions *r, const struct region *x, const struct region *y);

/** By how many hops there and back a region is farther from the second half of another one than
 *  from the first.  O(1). */
int32_t region_farther(const struct regions *r, const struct region half[2],
                       const struct region *x);

/** Host @p i of a region. */
uint32_t region_host(const struct regions *r, const struct region *x, uint32_t i);

#endif

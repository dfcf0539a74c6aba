/** @file case.h
 *  One kind of merge: the boxes of two groups along an axis, and the combinations of their
 *  placement patterns that are worth trying.
 *
 *  Combination c places the first group by pattern c / count and the second by pattern c % count,
 *  with count patterns of the second.  Of those with the smallest value the first is chosen (groups
 *  that exchange nothing stay as they are).  Of combinations known to have equal values only the
 *  first is tried, which does not change the result.
 *
 *  Source: Asano and Kise, "SFMOPT", section 3.2.1, tables 1 to 3.  Combinations that differ by a
 *  reflection of the merged group along another axis than that of the merge have equal values; for
 *  mincost also those that differ by an exchange of two other axes, if routes wrap around both or
 *  neither.
 */
#ifndef MAPPERS_MERGE_CASE_H
#define MAPPERS_MERGE_CASE_H

#include "common/err.h"
#include "mappers/merge/grid.h"
#include "mappers/merge/input.h"
#include "mappers/merge/pattern.h"

/** Above this, a pair's combinations are searched (objective/descent.h), not all tried. */
#define MERGE_CASE_MAX_COMBINATIONS 1000000

struct merge_case {
  uint32_t ndims, axis;
  uint32_t length[2][MERGE_PLAN_MAX_DIMS]; /**< of each group, in units */
  uint32_t cells[2];
  bool ring[MERGE_PLAN_MAX_DIMS]; /**< routes wrap around: a whole torus side, 3 units or more */
  struct merge_patterns patterns[2];
  bool exact;        /**< every combination not skipped is tried; else lead[] is not used */
  uint32_t leads;    /**< patterns of the first group that are tried */
  uint32_t *lead;    /**< their numbers, rising; owned */
  bool exchangeable; /**< the objective is mincost */
};

/** The boxes of two groups, of equal shape but along the axis; merge_case_boxes() makes those of a
 *  plan, tests their own. */
struct merge_boxes {
  uint32_t ndims, axis;
  uint32_t length[2][MERGE_PLAN_MAX_DIMS]; /**< in units */
  uint32_t hosts[2][MERGE_PLAN_MAX_DIMS];  /**< in hosts; only their equality counts */
  bool ring[MERGE_PLAN_MAX_DIMS];
};

/** The case of two boxes; on success @p c is the caller's: merge_case_clear().  Time and memory:
 *  the patterns of both groups. */
enum status merge_case_new(struct merge_case *c, const struct merge_boxes *b,
                           enum merge_objective objective, struct err *e);

/** The boxes of groups of these shapes before iteration @p i, the longer one first. */
void merge_case_boxes(struct merge_boxes *b, const struct merge_grid *g,
                      const struct merge_plan *plan, uint32_t i, const uint32_t shape[2]);

/** Accepts a zeroed one. */
void merge_case_clear(struct merge_case *c);

#endif

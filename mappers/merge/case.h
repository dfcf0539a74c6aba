/** @file merge_case.h
 *  One kind of merge: the boxes of two groups along an axis, and the combinations of their
 *  placement patterns that are worth trying.
 *
 *  Combination c puts the first group by pattern c / count and the second by pattern c % count,
 *  count being that of the second's patterns.  Of several with the smallest value the first is
 *  chosen (groups that send nothing at all stay as they are), and of a class of combinations whose
 *  values are equal only the first is tried, so that skipping changes no result.
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

/** Above this, a pair's combinations are searched (merge_descent.h), not all tried. */
#define MERGE_CASE_MAX_COMBINATIONS 1000000

struct merge_case {
  uint32_t ndims, axis;
  uint32_t length[2][MERGE_PLAN_MAX_DIMS]; /**< of either group, in units */
  uint32_t cells[2];
  bool ring[MERGE_PLAN_MAX_DIMS]; /**< a whole side of a torus, 3 units or more */
  struct merge_patterns patterns[2];
  bool exact;        /**< all combinations but those skipped are tried; else there are no leads */
  uint32_t leads;    /**< patterns of the first group that are tried */
  uint32_t *lead;    /**< which, rising; owned */
  bool exchangeable; /**< the objective is mincost */
};

/** A case by hand, for groups of equal shape but along the axis; merge_case_init() makes those of a
 *  plan. */
struct merge_boxes {
  uint32_t ndims, axis;
  uint32_t length[2][MERGE_PLAN_MAX_DIMS]; /**< in units */
  uint32_t hosts[2][MERGE_PLAN_MAX_DIMS];  /**< in hosts; only their equality counts */
  bool ring[MERGE_PLAN_MAX_DIMS];
};

enum status merge_case_new(struct merge_case *c, const struct merge_boxes *b,
                           enum merge_objective objective, struct err *e);

/** Groups of these shapes before iteration @p i, the first one the longer. */
void merge_case_boxes(struct merge_boxes *b, const struct merge_grid *g,
                      const struct merge_plan *plan, uint32_t i, const uint32_t shape[2]);

/** Accepts a zeroed one. */
void merge_case_clear(struct merge_case *c);

#endif

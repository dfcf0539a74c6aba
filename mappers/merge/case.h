/** @file case.h
 *  One kind of merge: the boxes of two groups along an axis, and the combinations of their
 *  placement patterns to try.
 *
 *  Combination c places the first group by pattern c / count and the second by pattern c % count,
 *  where count is the number of patterns of the second group.  The first combination with the
 *  smallest value is chosen; groups that exchange nothing are not transformed.  Of combinations
 *  known to have equal values only one is tried: the first in the order of pattern.h, so that the
 *  result is the same unless a seed changes the order.
 *
 *  Source: Asano and Kise, "SFMOPT", section 3.2.1, tables 1 to 3.  Two combinations have equal
 *  values if they differ by a reflection of the merged group along an axis other than the axis of
 *  the merge.  For mincost, combinations also have equal values if they differ by an exchange of
 *  two axes other than the axis of the merge, and routes wrap around both axes or neither.
 */
#pragma once

#include "common/err.h"
#include "mappers/merge/grid.h"
#include "mappers/merge/input.h"
#include "mappers/merge/pattern.h"

/** Maximum number of combinations of a pair that are all tried.  Above it, objective/descent.h
 *  searches them. */
#define MERGE_CASE_MAX_COMBINATIONS 1000000

struct merge_case {
  uint32_t ndims, axis;
  uint32_t length[2][MERGE_PLAN_MAX_DIMS]; /**< of each group, in units */
  uint32_t cells[2];
  bool ring[MERGE_PLAN_MAX_DIMS]; /**< routes wrap around: a whole torus side of 3 units or more */
  struct merge_patterns patterns[2];
  bool exact;        /**< all combinations with a pattern of lead[] are tried; false: descent.h */
  uint32_t leads;    /**< number of patterns of the first group to try */
  uint32_t *lead;    /**< their indices, rising; owned */
  bool exchangeable; /**< the objective is mincost */
};

/** The boxes of two groups; their shapes differ only along the axis.  merge_case_boxes() derives
 *  them from a plan; tests make their own. */
struct merge_boxes {
  uint32_t ndims, axis;
  uint32_t length[2][MERGE_PLAN_MAX_DIMS]; /**< in units */
  uint32_t hosts[2][MERGE_PLAN_MAX_DIMS];  /**< lengths in hosts; only compared for equality */
  bool ring[MERGE_PLAN_MAX_DIMS];
  uint64_t order; /**< seed of a random order of the patterns; 0: the order of pattern.h */
};

/** Makes the case of two boxes.  On success the caller frees @p c with merge_case_clear().  Time
 *  and memory: linear in the number of patterns of both groups. */
enum status merge_case_new(struct merge_case *c, const struct merge_boxes *b,
                           enum merge_objective objective, struct err *e);

/** Fills @p b for groups of the two shapes @p shape before iteration @p i, the longer one first. */
void merge_case_boxes(struct merge_boxes *b, const struct merge_grid *g,
                      const struct merge_plan *plan, uint32_t i, const uint32_t shape[2]);

/** Accepts a zeroed struct. */
void merge_case_clear(struct merge_case *c);

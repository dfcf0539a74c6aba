/** @file plan.h
 *  The axis of each iteration of merges and the shapes of its groups, for sides of any length.
 *  select.h chooses the pairs of groups.
 *
 *  Source: Asano and Kise, "SFMOPT", section 2.2, where sides are powers of two.  Here a side is
 *  halved until each part is one host; if the length is odd, the first half is the longer one.
 *  Iterations undo the halvings, beginning with the smallest parts, along X, Y, Z, X, ..., and skip
 *  an axis that is whole.  At any time the lengths of all groups along an axis differ by at most
 *  one.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "platforms/topology/grid.h"

#define MERGE_PLAN_MAX_DIMS   GRID_MAX_DIMS
#define MERGE_PLAN_MAX_SHAPES 256

/** 26 iterations for 2^26 hosts, and 1 more for each side that is no power of 2. */
#define MERGE_PLAN_MAX_ITERATIONS 40

struct merge_plan {
  uint32_t ndims;
  uint32_t iterations;
  uint32_t hosts;
  uint32_t side[MERGE_PLAN_MAX_DIMS];
  bool torus;                               /**< routes wrap around a side of 3 or more */
  uint8_t axis[MERGE_PLAN_MAX_ITERATIONS];  /**< by iteration: the axis of its merges */
  uint8_t round[MERGE_PLAN_MAX_ITERATIONS]; /**< number of earlier merges along the axis; for a
                                                 hypercube the axis divided by 2, as each axis is
                                                 merged once */
};

/** The groups before and after an iteration.  A shape is a set of bits: the length along axis d is
 *  low[d] + (bit d of the shape). */
struct merge_step {
  uint32_t ndims, axis;
  uint32_t low[MERGE_PLAN_MAX_DIMS];     /**< in hosts; 0 if some parts of the side have no host */
  uint32_t low_after;                    /**< low[axis] after the iteration */
  uint32_t quota[MERGE_PLAN_MAX_SHAPES]; /**< by shape: number of groups after the iteration */
};

/** The plan for a torus, mesh or hypercube; owns nothing. */
void merge_plan_init(struct merge_plan *p, const struct topology *t);

/** Number of halvings of side @p d that give the groups before iteration @p i (0..iterations). */
uint32_t merge_plan_halvings(const struct merge_plan *p, uint32_t i, uint32_t d);

/** The first iteration of round @p round; p->iterations if there is none. */
uint32_t merge_plan_round_start(const struct merge_plan *p, uint32_t round);

/** Fills @p step for iteration @p i, which is below p->iterations. */
void merge_plan_step(const struct merge_plan *p, uint32_t i, struct merge_step *step);

/** The shape of the groups of the first iteration: single hosts. */
uint32_t merge_plan_single(const struct merge_plan *p);

/** Length in hosts of a group along axis @p d before the iteration. */
uint32_t merge_plan_length(const struct merge_step *step, uint32_t shape, uint32_t d);

/** True if groups of shapes @p a and @p b may be merged; sets *merged to the resulting shape. */
bool merge_plan_fits(const struct merge_step *step, uint32_t a, uint32_t b, uint32_t *merged);

/** True if the iteration may leave groups without a partner. */
bool merge_plan_carries(const struct merge_step *step);

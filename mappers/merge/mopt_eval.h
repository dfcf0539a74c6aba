/** @file mopt_eval.h
 *  The evaluation functions of MOPT on a merged group, computed from scratch over every message and
 *  every link: the reference for objective/cost.h and objective/link.h.
 *
 *  Source: Asano and Kise, "SFMOPT", section 2.2.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "mappers/merge/plan.h"

/** A task and its coordinates in its group. */
struct mopt_place {
  uint32_t task;
  uint32_t at[MERGE_PLAN_MAX_DIMS];
};

/** A box of hosts with one task on each. */
struct mopt_box {
  uint32_t ndims;
  uint32_t length[MERGE_PLAN_MAX_DIMS];
  bool ring[MERGE_PLAN_MAX_DIMS]; /**< routes take the shorter direction of the ring */
  uint32_t size;
  const struct mopt_place *place; /**< `size` entries */
  const uint64_t *traffic;        /**< tasks x tasks: bytes from each task to each other */
  uint32_t tasks;
  uint64_t *load; /**< scratch for the size * ndims * 2 links */
};

/** Eval_Cost: bytes times hops. */
uint64_t mopt_eval_cost(const struct mopt_box *b);

/** Eval_Link: twice the bytes on the most loaded directed link.  If both directions of a ring are
 *  equally long, each carries half of the bytes. */
uint64_t mopt_eval_link(const struct mopt_box *b);

/** @file rivals.h
 *  The mappings of the simple mappers xyz and greedy, the rivals.  A general mapping must be no
 *  worse; a rival that is better is a start for annealing.  The cost of a mapping is its hop-bytes,
 *  as in mappers/metrics.h; on platforms without a topology, bytes times nanoseconds of latency.
 */
#pragma once

#include "mappers/general/general.h"
#include "mappers/general/problem.h"
#include "platforms/distances.h"

#define RIVALS_NONE (~(unsigned __int128)0)

struct rivals {
  struct distances *distances; /**< owned, as the arrays */
  unsigned __int128 cost;      /**< cost of the best rival; RIVALS_NONE: none was run */
  uint32_t *slot;              /**< by rank: its slot in the best rival */
  uint32_t *fill;              /**< scratch of target_slots() */
};

/** Runs the rivals, unless the cost of p->slot is the lowest possible; greedy only if @p greedy.
 *  On a part of a grid, the general mapping by @p plan on the smallest box with enough hosts is a
 *  rival too.  The caller frees @p r with rivals_clear(), also after a failure. */
enum status rivals_run(struct rivals *r, const struct problem *p, const struct general_plan *plan,
                       bool greedy, struct err *e);

/** Makes the mapping to these slots (by rank) a rival. */
enum status rivals_offer(struct rivals *r, const struct problem *p, const uint32_t *slot,
                         struct err *e);

/** Sets p->slot to the mapping of the best rival if that costs less.  Sets *below to whether it
 *  does. */
enum status rivals_settle(const struct rivals *r, struct problem *p, bool *below, struct err *e);

/** Accepts a zeroed struct. */
void rivals_clear(struct rivals *r);

/** @file rivals.h
 *  The simple mappers against which a general mapping must not lose, and which are good starts:
 *  xyz and greedy.  A cost is hop-bytes, as metrics count them
 *  (mappers/metrics.h); where there is no topology, bytes times nanoseconds of latency.
 */
#ifndef MAPPERS_GENERAL_RIVALS_H
#define MAPPERS_GENERAL_RIVALS_H

#include "mappers/general/problem.h"

struct rivals {
  struct platform_finder *finder; /**< owned, as the slots */
  uint64_t cost;                  /**< of the best; UINT64_MAX: none was run */
  uint32_t *slot;                 /**< of each rank there */
};

/** Runs them, unless the cost of p->slot is as low as can be.  The caller's:
 *  rivals_clear(). */
enum status rivals_run(struct rivals *r, const struct problem *p, struct err *e);

/** Sets p->slot to the best rival's if that costs less; *below says whether. */
enum status rivals_settle(const struct rivals *r, struct problem *p, bool *below, struct err *e);

/** Accepts a zeroed one. */
void rivals_clear(struct rivals *r);

#endif

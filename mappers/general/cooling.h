/** @file cooling.h
 *  How simulated annealing of a mapping cools down.
 */
#ifndef MAPPERS_GENERAL_COOLING_H
#define MAPPERS_GENERAL_COOLING_H

#include <stdbool.h>

#include "mappers/general/thresholds.h"

struct anneal_plan {
  double sweeps;     /**< tests per task */
  double start, end; /**< heats, in mean changes by a test */
  uint64_t seed;
};

struct cooling {
  const struct anneal_plan *plan;
  double unit; /**< the mean change by a test */
  uint32_t sweep, sweeps;
  uint64_t exchanges; /**< taken so far, which the caller counts */
  struct thresholds thresholds;
};

void cooling_begin(struct cooling *c, const struct anneal_plan *plan, double unit);

/** The heat of the next sweep, which falls geometrically; 0 in the last one.  False after that, and
 *  if nothing was taken in the hottest eighth of the sweeps: little would be in the cooler ones. */
bool cooling_next(struct cooling *c, double *heat);

/** The largest change that is taken, by the upper bits of @p random. */
static inline double cooling_limit(const struct cooling *c, double heat, uint64_t random)
{
  return heat * thresholds_at(&c->thresholds, random);
}

#endif

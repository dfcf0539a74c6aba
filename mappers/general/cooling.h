/** @file cooling.h
 *  How simulated annealing of a mapping cools down.
 */
#ifndef MAPPERS_GENERAL_COOLING_H
#define MAPPERS_GENERAL_COOLING_H

#include <stdbool.h>

#include "mappers/general/thresholds.h"

struct anneal_plan {
  double work;       /**< tests per task, or what takes as long; a whole number of them */
  double start, end; /**< heats, in mean changes by a test */
  uint64_t seed;
};

struct cooling {
  const struct anneal_plan *plan;
  double unit;        /**< the mean change by a test */
  double work;        /**< the plan's, at least 1 */
  double done;        /**< of the plan's work, which the caller counts after each sweep */
  uint64_t exchanges; /**< taken so far, which the caller counts too */
  bool last;          /**< the sweep after all work has begun */
  struct thresholds thresholds;
};

void cooling_begin(struct cooling *c, const struct anneal_plan *plan, double unit);

/** The heat of the next sweep, which falls geometrically with the work; 0 in one more after all of
 *  it.  False after that, and if nothing was taken in the first, hottest eighth of the work: little
 *  would be in the rest. */
bool cooling_next(struct cooling *c, double *heat);

/** The largest change that is taken, by the upper bits of @p random. */
static inline double cooling_limit(const struct cooling *c, double heat, uint64_t random)
{
  return heat * thresholds_at(&c->thresholds, random);
}

#endif

/** @file cooling.h
 *  The cooling schedule of simulated annealing.
 */
#ifndef MAPPERS_GENERAL_ANNEAL_COOLING_H
#define MAPPERS_GENERAL_ANNEAL_COOLING_H

#include <stdbool.h>

#include "mappers/general/anneal/thresholds.h"

struct anneal_plan {
  double work;       /**< tests per task, or work of the same time; rounded down */
  double start, end; /**< first and last heat, in mean changes of a test */
  uint64_t seed;
};

struct cooling {
  const struct anneal_plan *plan;
  double unit;        /**< the mean change of a test */
  double work;        /**< the plan's work as an integer, at least 1 */
  double done;        /**< work done; the caller adds to it after each sweep */
  uint64_t exchanges; /**< exchanges made; the caller counts them */
  bool last;          /**< the final sweep has begun */
  struct thresholds thresholds;
};

void cooling_begin(struct cooling *c, const struct anneal_plan *plan, double unit);

/** Sets the heat of the next sweep.  The heat falls geometrically with the work; one final sweep
 *  has heat 0.  Returns false after that sweep, or if the first, hottest eighth of the work made no
 *  exchange: the rest would make few. */
bool cooling_next(struct cooling *c, double *heat);

/** The largest change that is accepted, drawn by the upper bits of @p random. */
static inline double cooling_limit(const struct cooling *c, double heat, uint64_t random)
{
  return heat * thresholds_at(&c->thresholds, random);
}

#endif

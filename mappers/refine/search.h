/** @file search.h
 *  Simulated annealing of a placement by exchanges of two ranks, or of a rank and an empty slot.
 */
#ifndef MAPPERS_REFINE_SEARCH_H
#define MAPPERS_REFINE_SEARCH_H

#include "mappers/refine/swaps.h"

struct search_plan {
  enum objective objective;
  double seconds;   /**< CPU seconds; 0: `work` counts instead */
  uint64_t work;    /**< exchanges tried, at most UINT64_MAX / SEARCH_HOPS_WORK */
  double start;     /**< temperature, in mean changes by a random exchange near a partner */
  double hop_start; /**< of annealing of hop-bytes that comes first; 0: none */
  uint64_t seed, stream;
};

/** What comes first: of the seconds a part, of the work a multiple.  A change of hop-bytes takes a
 *  tenth of the time, and a placement of few hop-bytes is a good start. */
#define SEARCH_HOPS_TIME 0.3
#define SEARCH_HOPS_WORK 10

/** Improves the host of each rank by plan->objective, and gives the value reached, which is never
 *  above that of the placement given.  @p host is untouched on failure. */
enum status search(uint32_t *host, const struct mapper_input *in, const struct search_plan *plan,
                   swaps_value *value, struct err *e);

#endif

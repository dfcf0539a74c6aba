/** @file search.h
 *  Simulated annealing of a placement by exchanges of two ranks, or of a rank and an empty slot.
 */
#ifndef MAPPERS_REFINE_SEARCH_H
#define MAPPERS_REFINE_SEARCH_H

#include "mappers/refine/swaps.h"

struct search_plan {
  double seconds; /**< CPU seconds; 0: `work` counts instead */
  uint64_t work;  /**< exchanges tried */
  double start;   /**< temperature, in mean changes by a random exchange near a partner */
  uint64_t seed, stream;
};

/** Writes the host of each rank in the best placement seen, the one that it begins with included,
 *  and its value. */
enum status search_run(struct swaps *s, const struct search_plan *plan, uint32_t *host,
                       swaps_value *value, struct err *e);

#endif

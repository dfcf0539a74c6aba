/** @file search.h
 *  Simulated annealing of a placement by exchanges of two ranks, or of a rank and an empty slot.
 */
#ifndef MAPPERS_REFINE_SEARCH_H
#define MAPPERS_REFINE_SEARCH_H

#include "mappers/refine/swaps.h"

struct search_plan {
  enum objective objective;
  double seconds;   /**< CPU seconds; 0: `work` is the limit */
  uint64_t work;    /**< exchanges tried, at most UINT64_MAX / SEARCH_HOPS_WORK */
  double start;     /**< first temperature, in mean changes by random exchanges near partners */
  double hop_start; /**< the same for the preceding annealing of hop-bytes; 0: skips that */
  uint64_t most_hop_bytes; /**< exchanges that raise the hop-bytes above it are not made; 0: no
                                limit */
  double more_hop_bytes;   /**< if above 0: the limit is instead the hop-bytes of the start times 1
                                plus this */
  bool exchanges;          /**< ranks only exchange hosts: free slots stay free */
  uint64_t seed, stream;
};

/** The budget of the preceding annealing of hop-bytes: a share of the seconds, a multiple of the
 *  work.  Trying an exchange for hop-bytes takes a tenth of the time, and a placement with few
 *  hop-bytes is a good start. */
#define SEARCH_HOPS_TIME 0.3
#define SEARCH_HOPS_WORK 10

/** The first temperature that preserves the result of another mapper. */
#define SEARCH_START 0.03

/** Improves @p host, the host of each rank, by plan->objective and writes the value reached, which
 *  is never above the initial value.  @p host is unchanged on failure. */
enum status search(uint32_t *host, const struct mapper_input *in, const struct search_plan *plan,
                   swaps_value *value, struct err *e);

/** Sets *value to the value of the placement @p host by an objective. */
enum status search_value(const uint32_t *host, const struct mapper_input *in,
                         enum objective objective, swaps_value *value, struct err *e);

#endif

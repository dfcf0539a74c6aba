/** @file search.h
 *  Simulated annealing of a placement by exchanges of two ranks, or of a rank and an empty slot.
 */
#pragma once

#include "mappers/refine/swaps.h"

struct search_plan {
  enum objective objective;
  double seconds;   /**< CPU seconds; 0: `work` is the limit */
  uint64_t work;    /**< exchanges tried, at most UINT64_MAX / SEARCH_HOPS_WORK */
  double start;     /**< first temperature, in mean changes by random exchanges near partners */
  double hop_start; /**< the same for the preceding annealing of hop-bytes; 0: skips that */
  uint64_t most_hop_bytes; /**< limit of the hop-bytes, for exchanges that raise them; 0: none */
  double more_hop_bytes;   /**< above 0: the limit is 1 + more_hop_bytes times the hop-bytes of the
                                start */
  bool exchanges;          /**< ranks only exchange hosts: free slots stay free */
  uint64_t seed, stream;
};

/** The budget of the preceding annealing of hop-bytes: this share of the seconds, or this multiple
 *  of the work.  Trying an exchange takes a tenth of the time there, and a placement with few
 *  hop-bytes is a good start. */
#define SEARCH_HOPS_TIME 0.3
#define SEARCH_HOPS_WORK 10

/** A first temperature that is low enough to preserve the result of another mapper. */
#define SEARCH_START 0.03

/** Improves @p host, the host of each rank, by plan->objective, and sets *value to the value that
 *  it reaches, never above the initial one.  @p host is unchanged on failure. */
enum status search(uint32_t *host, const struct mapper_input *in, const struct search_plan *plan,
                   swaps_value *value, struct err *e);

/** Sets *value to the value of the placement @p host by an objective. */
enum status search_value(const uint32_t *host, const struct mapper_input *in,
                         enum objective objective, swaps_value *value, struct err *e);

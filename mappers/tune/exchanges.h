/** @file exchanges.h
 *  Improves a mapping by annealing its estimated time (mappers/estimate.h) with the changes of
 *  moves.h.  Unlike the norms of refine/timing.h, the estimate knows which messages ranks wait for.
 */
#pragma once

#include "mappers/estimate.h"
#include "mappers/mapper.h"

struct exchanges_plan {
  uint64_t work; /**< steps, as estimate_work() counts them */
  double heat;   /**< as in descent.h */
  bool blamed;   /**< also MOVE_BLAMED, for the messages on the critical path */
  uint64_t seed, stream;
};

/** Improves @p host, the host of each rank, and sets *value to its estimate by @p x, never above
 *  the initial one.  @p host is unchanged on failure. */
enum status exchanges_improve(uint32_t *host, const struct mapper_input *in, struct estimate *x,
                              const struct exchanges_plan *plan, double *value, struct err *e);

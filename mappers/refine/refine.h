/** @file refine.h
 *  Improves the placement of any mapper by exchanges of ranks: the options refine= and
 *  refine-objective=.
 */
#pragma once

#include "mappers/mapper.h"
#include "mappers/refine/objective.h"

struct refine_plan {
  enum objective objective;
  double seconds; /**< CPU seconds; the result depends on the machine; 0: `work` is the limit */
  uint64_t work;  /**< exchanges tried, at most REFINE_MOST_WORK; 0: refine_work() */
  bool few_hops;  /**< the mapping has been annealed by hop-bytes: does not repeat that */
  uint64_t seed;
};

/** The largest budget in exchanges. */
#define REFINE_MOST_WORK (UINT64_C(1) << 60)

/** Reads "0.5" (seconds) or "work:100000" (exchanges tried), above 0. */
enum status refine_budget(struct refine_plan *plan, const char *text, struct err *e);

/** Improves @p m by the objective, or leaves it unchanged.  @p m maps in->ranks ranks, at most
 *  in->ranks_per_host on a host.  @p m is unchanged on failure. */
enum status refine_mapping(struct mapping *m, const struct mapper_input *in,
                           const struct refine_plan *plan, struct err *e);

/** The default number of exchanges to try: 3000 for each rank, fewer if ranks have many
 *  partners. */
uint64_t refine_work(const struct mapper_input *in);

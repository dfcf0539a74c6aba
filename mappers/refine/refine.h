/** @file refine.h
 *  Better placements by exchanges of ranks, for any mapper: the options refine= and
 *  refine-objective= of all of them.
 */
#ifndef MAPPERS_REFINE_REFINE_H
#define MAPPERS_REFINE_REFINE_H

#include "mappers/mapper.h"
#include "mappers/refine/objective.h"

struct refine_plan {
  enum objective objective;
  double seconds; /**< CPU seconds; the result then depends on the machine; 0: `work` counts */
  uint64_t work;  /**< exchanges tried, at most REFINE_MOST_WORK; 0 with seconds 0: by size */
  bool few_hops;  /**< the mapping's hop-bytes are annealed already */
  uint64_t seed;
};

/** The most exchanges of a budget. */
#define REFINE_MOST_WORK (UINT64_MAX / 16)

/** Reads "0.5" (seconds) or "work:100000" (exchanges tried), above 0. */
enum status refine_budget(struct refine_plan *plan, const char *text, struct err *e);

/** Makes @p m, a mapping of in->ranks ranks with no more of them on a host than in->ranks_per_host,
 *  better by the objective if it finds how, and never worse.  @p m is untouched on failure. */
enum status refine_mapping(struct mapping *m, const struct mapper_input *in,
                           const struct refine_plan *plan, struct err *e);

/** The exchanges that a search tries without other budget: 3000 a rank, less where ranks have
 *  many partners. */
uint64_t refine_work(const struct mapper_input *in);

#endif

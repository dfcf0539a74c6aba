/** @file tuning.h
 *  Tunes collectives for a mapping: simulates each algorithm once per size, and selects the fastest
 *  algorithms.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "platforms/mapping/mapping.h"
#include "platforms/platform.h"
#include "sim/sim.h"
#include "traces/collectives/collective.h"

/** Largest size of a collective that can be simulated, in bytes. */
#define TUNING_MOST_BYTES INT32_MAX

struct tuning_spec {
  const struct platform *platform;
  const struct mapping *mapping; /**< its ranks call the collectives */
  const struct sim_options *sim;
  bool wanted[COLLECTIVE_KINDS]; /**< by kind - ACTION_BARRIER: simulate this collective */
  uint64_t from, to;             /**< sizes in bytes, 1 <= from <= to; both are simulated */
  uint32_t factor;               /**< ratio of consecutive sizes, at least 2 */
  uint32_t parallel;             /**< number of parallel processes; does not affect the results */
};

/** One simulation. */
struct tuning_run {
  enum action_kind kind;
  uint32_t algorithm; /**< see collective_algorithm() */
  uint64_t bytes;     /**< size of the collective; 0 for a barrier */
  double time_s;      /**< NAN: the simulation failed */
  double slowdown;    /**< time_s / least time_s for this collective and size */
  uint64_t messages, sent_bytes;
  char why[128];  /**< error of a failed simulation */
  bool by_system; /**< the system caused the error, see err_of_environment() */
};

/** All simulations, sorted by collective, size and algorithm. */
struct tuning {
  uint32_t ranks;
  uint32_t runs;
  struct tuning_run *run; /**< owned */
};

/** Simulates all algorithms of the wanted collectives for all sizes.  A simulation that fails sets
 *  `why` of its run; the function still succeeds, unless the system caused the error.  Free *out
 *  with tuning_clear(). */
enum status tuning_simulate(struct tuning *out, const struct tuning_spec *s, struct err *e);

void tuning_clear(struct tuning *t);

/** Sets *out to the fastest algorithm of each collective and size.  The ranks of some collectives,
 *  such as gatherv, do not all know its size (tuned_by_bytes() is false).  These get one algorithm
 *  for all sizes: the algorithm with the least product of slowdowns over the sizes. */
enum status tuning_select(const struct tuning *t, struct tuned *out, struct err *e);

/** Writes a table with a header: the runs of @p kind, or all runs if it is ACTION_KINDS. */
void tuning_print(const struct tuning *t, enum action_kind kind, FILE *f);

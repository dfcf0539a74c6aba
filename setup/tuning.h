/** @file tuning.h
 *  Time of each algorithm of collectives under a mapping, by size, from one simulation each, and
 *  the choice of the fastest algorithms.
 */
#ifndef SETUP_TUNING_H
#define SETUP_TUNING_H

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
  bool wanted[COLLECTIVE_KINDS]; /**< by kind - ACTION_BARRIER */
  uint64_t from, to;             /**< sizes in bytes, 1 <= from <= to; both are simulated */
  uint32_t factor;               /**< ratio of consecutive sizes, at least 2 */
  uint32_t parallel;             /**< number of parallel processes; changes no result */
};

/** One simulation. */
struct tuning_run {
  enum action_kind kind;
  uint32_t algorithm; /**< see collective_algorithm() */
  uint64_t bytes;     /**< size of the collective; 0 for a barrier */
  double time_s;      /**< NAN: the simulation failed */
  double slowdown;    /**< time / time of the fastest algorithm of the same size */
  uint64_t messages, sent_bytes;
  char why[128]; /**< error of a failed simulation */
};

/** All simulations, in the order of collectives, sizes and algorithms. */
struct tuning {
  uint32_t ranks;
  uint32_t runs;
  struct tuning_run *run; /**< owned */
};

/** Simulates all algorithms of the wanted collectives.  A failed simulation is recorded and is no
 *  error.  Free *out with tuning_clear(). */
enum status tuning_simulate(struct tuning *out, const struct tuning_spec *s, struct err *e);

void tuning_clear(struct tuning *t);

/** Selects the fastest algorithm of each size.  For a collective with a size that its ranks do not
 *  know (tuned_by_bytes()), selects the algorithm with the least product of slowdowns. */
enum status tuning_select(const struct tuning *t, struct tuned *out, struct err *e);

/** Writes a table with a header: the runs of @p kind, or all runs if it is ACTION_KINDS. */
void tuning_print(const struct tuning *t, enum action_kind kind, FILE *f);

#endif

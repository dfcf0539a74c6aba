/** @file search.h
 *  Finds the choice of a sweep that runs soonest: samples of all choices one after another, each
 *  stopped as soon as it falls behind the best so far (race.h).
 */
#ifndef PREDICT_SWEEP_SEARCH_H
#define PREDICT_SWEEP_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "predict/sample/forecast.h"
#include "predict/sweep/space.h"
#include "sim/sim.h"

struct sweep_options {
  const struct sim_options *sim;
  uint64_t most;     /**< iterations of the longest sample */
  bool whole;        /**< simulate all iterations of all choices instead */
  uint32_t parallel; /**< processes at a time; changes no result */
};

/** What is known of a choice. */
struct sweep_result {
  struct forecast forecast; /**< time_s is NAN if its bound was enough to leave it out, and hardly
                                 more than a lower bound if it was stopped; half_s is NAN if its
                                 sample was one period or was stopped, or if it had none */
  double iterations; /**< simulated, all its runs together: operations, by those of an iteration */
};

struct sweep_found {
  struct sweep_result *result; /**< by choice; owned */
  size_t best;                 /**< its number */
  double cost;                 /**< operations simulated, all runs of all choices together */
  double full;                 /**< the same, were all choices simulated from end to end */
};

/** The caller's: sweep_found_clear().  Fails if a simulation fails, naming the choice. */
enum status sweep_search(struct sweep_found *out, struct sweep_space *space,
                         const struct sweep_options *o, const struct platform *p, struct err *e);

void sweep_found_clear(struct sweep_found *f);

#endif

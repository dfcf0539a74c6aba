/** @file search.h
 *  Finds the fastest choice of a sweep: simulates samples of all choices one after another, and
 *  stops each as soon as it falls behind the best so far (race.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "predict/sample/forecast.h"
#include "predict/sweep/space.h"
#include "sim/sim.h"

struct sweep_options {
  const struct sim_options *sim;
  uint64_t most;     /**< upper limit of iterations in a sample */
  bool whole;        /**< simulate all iterations of all choices instead */
  uint32_t parallel; /**< simultaneous processes; does not affect results */
};

/** Result for a choice. */
struct sweep_result {
  struct forecast forecast; /**< time_s is NAN if the choice was excluded by its bound, and little
                                 more than a lower bound if its run was stopped; half_s is NAN
                                 without a sample, after a stopped run, and for a sample of one
                                 period */
  double iterations;        /**< simulated iterations of all runs of the choice: simulated
                                 operations over operations per iteration */
};

struct sweep_found {
  struct sweep_result *result; /**< by choice; owned */
  size_t best;                 /**< index of the best choice */
  double cost;                 /**< operations simulated, over all runs of all choices */
  double full;                 /**< operations if all choices were simulated from end to end */
};

/** Fails if a simulation fails; the error names the choice.  The caller calls sweep_found_clear(),
 *  also after a failure. */
enum status sweep_search(struct sweep_found *out, struct sweep_space *space,
                         const struct sweep_options *o, const struct platform *p, struct err *e);

void sweep_found_clear(struct sweep_found *f);

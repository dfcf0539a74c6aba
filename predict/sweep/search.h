/** @file search.h
 *  Finds the choice of a sweep that runs soonest: short runs of all choices, stopped as soon as
 * they fall behind, then samples of those few that are left.
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
  struct forecast forecast; /**< time_s is NAN if its bound was enough to leave it out, or if it
                                 fell behind early; half_s, if its sample was too short or
                                 stopped, or if it had none */
  double passed_s;   /**< when it passed the point up to which all run; INFINITY: it did not */
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

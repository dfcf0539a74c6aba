/** @file simulation.h
 *  Simulated execution of a trace under a mapping.
 */
#ifndef HAICHI_SIMULATION_H
#define HAICHI_SIMULATION_H

#include <stdint.h>

#include <haichi/mapping.h>
#include <haichi/trace.h>

/** Options of haichi_simulate().  Zeroed: the defaults of `haichi sim`. */
struct haichi_simulation_options {
  const char *model;    /**< network model (`haichi list models`); NULL: smpi */
  double compute_scale; /**< factor of all computations, at most 1e12; 0: 1 */
};

struct haichi_simulation {
  double time_s;                    /**< from the start to the end of the last rank */
  double communication_time_mean_s; /**< mean over ranks of the time outside of computations */
  double communication_time_max_s;  /**< maximum over ranks */
  uint64_t messages, bytes;         /**< sent, collectives included */
};

/** Simulates the trace with engine flow.  @p o NULL: the defaults.  A deadlock of the program is an
 *  error. */
HAICHI_PUBLIC enum haichi_status
haichi_simulate(struct haichi_simulation *out, const struct haichi_platform *p,
                struct haichi_trace *t, const struct haichi_mapping *m,
                const struct haichi_simulation_options *o, struct haichi_error *e);

#endif

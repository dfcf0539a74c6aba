/** @file experiment.h
 *  One run of a campaign from its inputs to its result: place the ranks, score the mapping,
 *  simulate.  Once a process, as sim_run() is.
 */
#ifndef CLI_EXPERIMENT_H
#define CLI_EXPERIMENT_H

#include "cli/model_args.h"
#include "cli/run_result.h"
#include "common/err.h"

struct experiment {
  const char *platform, *trace, *mapping; /**< as the options of `haichi sim` take them */
  struct model_args model;
  const char *links;  /**< file for the load of the links, or NULL */
  const char *matrix; /**< file for the traffic, or NULL */
};

/** Fills in what an ok run has, the timings apart. */
enum status experiment_run(const struct experiment *x, struct run_result *r, struct err *e);

#endif

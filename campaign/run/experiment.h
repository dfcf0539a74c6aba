/** @file experiment.h
 *  One run of a campaign from its inputs to its result: place the ranks, score the mapping,
 *  simulate.  Once a process, as sim_run() is.
 */
#ifndef CAMPAIGN_RUN_EXPERIMENT_H
#define CAMPAIGN_RUN_EXPERIMENT_H

#include "campaign/inputs.h"
#include "campaign/run/result.h"
#include "campaign/settings.h"
#include "common/err.h"

struct experiment {
  const struct platform *platform;
  struct input_trace *trace;
  const char *mapping; /**< a file or a mapper spec */
  const struct settings *settings;
  const char *links;  /**< file for the load of the links, or NULL */
  const char *matrix; /**< file for the traffic, or NULL */
};

/** Fills in what an ok run has, the timings apart. */
enum status experiment_run(const struct experiment *x, struct run_result *r, struct err *e);

#endif

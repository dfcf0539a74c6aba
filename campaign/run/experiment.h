/** @file experiment.h
 *  One run of a campaign: maps the ranks, computes the metrics, simulates.  A process can execute
 *  only one run, unless the engine has runs_again (sim/engine.h).
 */
#pragma once

#include "campaign/run/result.h"
#include "common/err.h"
#include "setup/inputs.h"
#include "setup/settings.h"

struct experiment {
  const struct platform *platform;
  struct input_trace *trace;
  const char *mapping; /**< a file or a mapper spec */
  const struct settings *settings;
  uint64_t load_seed; /**< added to the seeds of background loads: number of the repetition */
  const char *links;  /**< output file for link loads; NULL: none */
  const char *matrix; /**< output file for the traffic matrix; NULL: none */
};

/** Groups (result.h) of a simulation with these settings, without metrics and placement. */
unsigned experiment_groups(const struct settings *s);

/** Maps the ranks of a matrix and computes the metrics; nothing is simulated.  x->trace must have
 *  no name.  Fills *r like experiment_run(). */
enum status experiment_score(const struct experiment *x, const struct matrix *traffic,
                             struct run_result *r, struct err *e);

/** Fills *r as for an ok run, except its timings and `extra`.  On failure *r is unspecified. */
enum status experiment_run(const struct experiment *x, struct run_result *r, struct err *e);

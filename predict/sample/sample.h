/** @file sample.h
 *  Predicts the time of a program from a simulation of a few of its iterations.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "predict/sample/forecast.h"
#include "sim/sim.h"
#include "traces/survey.h"

struct sample_run {
  const struct sim_options *options;
  const struct platform *platform;
  const struct sim_job *job;
  size_t jobs;               /**< the first is the program, the others are background */
  const struct survey *loop; /**< of the program's trace; NULL: not surveyed yet */
  uint64_t most;             /**< upper limit of simulated iterations */
  bool in_one_piece;         /**< simulates consecutive iterations from the first one on, even if
                                  other things vary with time */
  const char *series;        /**< file for the table of the iterations; NULL: none */
  FILE *blocked;             /**< see sim_run() */
};

/** True if anything besides the program changes with simulated time: a load, or the platform's
 *  speeds. */
bool sample_site_varies(const struct sim_options *o, const struct platform *p);

/** Simulates like sim_run().  If options->watch stops the run, time_s is NAN. */
enum status sample_predict(const struct sample_run *r, struct forecast *out, struct err *e);

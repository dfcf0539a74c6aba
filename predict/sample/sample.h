/** @file sample.h
 *  The time that a program would take, predicted from a simulation of a few of its iterations.
 */
#ifndef PREDICT_SAMPLE_SAMPLE_H
#define PREDICT_SAMPLE_SAMPLE_H

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
  const struct survey *loop; /**< of the program's trace; NULL: not yet surveyed */
  uint64_t most;             /**< iterations to simulate at most */
  bool in_one_piece;         /**< the first ones, even if other things vary with time */
  const char *series;        /**< file for the table of the iterations; NULL: none */
  FILE *blocked;             /**< see sim_run() */
};

/** Does anything besides the program change with simulated time: a load, the platform's speeds? */
bool sample_site_varies(const struct sim_options *o, const struct platform *p);

/** Simulates as sim_run().  Of a run that options->watch stops, nothing is known: time_s is NAN. */
enum status sample_predict(const struct sample_run *r, struct forecast *out, struct err *e);

#endif

/** @file what_if.h
 *  Simulates faster or slower networks and hosts, which change at date 0, and prints the times
 *  beside the predictions of the derivatives.
 */
#pragma once

#include <stdio.h>

#include "cli/explain/tables.h"
#include "common/err.h"
#include "sim/explain/explained.h"
#include "sim/sim.h"

/** A run of one job that has been explained with derivatives. */
struct what_if {
  const struct explained *x;
  const struct tables *t;
  const struct sim_options *options;
  const struct sim_job *job;
  FILE *blocked; /**< as for sim_run() */
};

/** Prints three tables: the gain of a faster network, faster hosts and the t->most best links;
 *  the latency that is tolerated; and the intervals over which derivatives hold.  Makes some 100
 *  simulations, and up to 20 for each link.  Refuses opaque platforms. */
enum status what_if_print(const struct what_if *w, FILE *f, struct err *e);

/** Writes the time over the factor on all latencies, from 1 to the factor at which the run takes
 *  20 % longer, at most 1,024: `latencies simulated_s predicted_s`.  Makes some 35 simulations.
 *  Refuses opaque platforms. */
enum status what_if_write_curve(const struct what_if *w, FILE *f, struct err *e);

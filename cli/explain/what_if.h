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

/** Refuses opaque platforms, and names of links with blanks. */
enum status what_if_check(const struct platform *p, struct err *e);

/** Prints three tables: the gains of a faster network, of faster hosts and of each of the t->most
 *  links with the largest effects; the latencies at which the run takes 1 to 20 % longer; and the
 *  changes up to which derivatives hold.  Makes some 100 simulations, and up to 20 for each link.
 *  The platform has passed what_if_check(). */
enum status what_if_print(const struct what_if *w, FILE *f, struct err *e);

/** Writes the simulated and predicted time as a function of a factor on all latencies: columns
 *  `latencies simulated_s predicted_s`.  The factors are from 1 to the factor at which the run
 *  takes 20 % longer, at most 1,024.  Makes some 35 simulations.  The platform has passed
 *  what_if_check(). */
enum status what_if_write_curve(const struct what_if *w, FILE *f, struct err *e);

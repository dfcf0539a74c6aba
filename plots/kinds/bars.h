/** @file bars.h
 *  Groups of bars, one bar per series, relative to a baseline: the pictures of speedups and of
 *  relative makespans.  If there are several groups, a group of geometric means follows.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "campaign/results/results.h"
#include "common/err.h"
#include "plots/plot.h"

struct bars {
  char *const *group; /**< names, for example paths of files */
  size_t groups;
  char *const *series; /**< names */
  size_t all_series;
  const char *compared; /**< kind of the series: "mapper" */
  uint32_t baseline; /**< index of a series; its bars are drawn only if they have several values */
  const char *measure; /**< axis label before the name of the baseline: "speedup over " */
  /** The value of a bar; a bar with count 0 is not drawn. */
  struct results_spread (*value)(const void *of, uint32_t group, uint32_t series);
  const void *of;
};

/** Writes the settings and data of plot_speedup.gp for the groups in which the baseline has values.
 *  Fails with plot_nothing() if no series has bars. */
enum status bars_write(const struct bars *b, const struct plot *p, FILE *f, struct err *e);

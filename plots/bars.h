/** @file bars.h
 *  Groups of bars, one bar a series in each, over a baseline: the pictures of speedups and of
 *  relative makespans.  A group of geometric means follows if there are several.
 */
#ifndef PLOTS_BARS_H
#define PLOTS_BARS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "campaign/results.h"
#include "common/err.h"

struct bars {
  char *const *group; /**< names, as paths of files */
  size_t groups;
  char *const *series; /**< names */
  size_t all_series;
  uint32_t baseline;   /**< a series: it has bars only where it has several values */
  const char *measure; /**< what stands before the baseline's name: "speedup over" */
  /** What a bar shows; without values there is none. */
  struct results_spread (*value)(const void *of, uint32_t group, uint32_t series);
  const void *of;
};

/** Writes the settings and lines of plot_speedup.gp, of the groups that have the baseline; *shown
 * is the number of series that have bars: without any there is nothing to draw. */
enum status bars_write(const struct bars *b, size_t *shown, FILE *f, struct err *e);

#endif

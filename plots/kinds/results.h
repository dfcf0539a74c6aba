/** @file results.h
 *  Shared part of the plots of results.tsv: speedup and metrics.
 */
#pragma once

#include <stdbool.h>

#include "campaign/results/results.h"
#include "plots/plot.h"

/** Columns of the rows, relative to the baseline's mean on the trace of the row; NAN: missing. */
enum {
  RELATIVE_TIME,
  INTERVAL_LOW,  /**< lower end of the time's confidence interval; NAN if a row is one run */
  INTERVAL_HIGH, /**< upper end of that interval */
  RELATIVE_HOP_BYTES,
  RELATIVE_LINK_LOAD,
  SPEEDUP
};

struct plot_results {
  struct results r;
  uint32_t baseline; /**< a mapper of r */
};

/** Reads the times in results.tsv, and with @p metrics the metrics of mappings, which are NAN
 *  without it.
 *  @p machine: see results_load().  @p baseline must have a row that is ok; NULL: xyz if present,
 *  or the first mapper.  The caller frees *out with plot_results_clear(). */
enum status plot_results_load(struct plot_results *out, const char *path, const char *machine,
                              const char *baseline, bool metrics, struct err *e);

/** The speedups of a mapper on a trace over its seeds.  If rows have confidence intervals, min and
 *  max are the extreme ends of the intervals. */
struct results_spread plot_results_speedup(const struct results *r, uint32_t trace,
                                           uint32_t mapper);

/** Accepts zeroed results. */
void plot_results_clear(struct plot_results *p);

/** Returns p->results, or if it is NULL, the results read into *own; NULL on failure.  The caller
 *  zeroes *own before and calls plot_results_clear() on it in any case. */
const struct plot_results *plot_results_of(const struct plot *p, struct plot_results *own,
                                           bool metrics, struct err *e);

/** Writes the gnuplot variables `baseline` (label) and `subtitle` (numbers of rows left out). */
void plot_results_subtitle(const struct plot_results *p, FILE *f);

/** Writes the gnuplot variables `baseline`, unless it is NULL, and `subtitle`: the numbers of rows
 *  that failed, that timed out, and whose trace lacks the baseline. */
void plot_results_left_out(const char *baseline, size_t failed, size_t timeouts, size_t lost,
                           FILE *f);

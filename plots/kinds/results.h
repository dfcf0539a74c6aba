/** @file results.h
 *  Shared part of the plots of results.tsv: speedup and metrics.
 */
#ifndef PLOTS_KINDS_RESULTS_H
#define PLOTS_KINDS_RESULTS_H

#include <stdbool.h>

#include "campaign/results/results.h"
#include "plots/plot.h"

/** The values of each row, relative to the baseline's mean on the same trace; NAN: missing. */
enum {
  RELATIVE_TIME,
  INTERVAL_LOW, /**< interval of the time; NAN if a row is one run, like the next */
  INTERVAL_HIGH,
  RELATIVE_HOP_BYTES,
  RELATIVE_LINK_LOAD,
  SPEEDUP
};

struct plot_results {
  struct results r;
  uint32_t baseline; /**< a mapper of r */
};

/** Reads results.tsv, all of it or the rows of one machine (results_load()): the times and, with
 *  @p metrics, the metrics of mappings, which are NAN without.  @p baseline must have a row that is
 * ok; NULL: xyz if present, or the first mapper. The caller frees *out with plot_results_clear().
 */
enum status plot_results_load(struct plot_results *out, const char *path, const char *machine,
                              const char *baseline, bool metrics, struct err *e);

/** The speedups of a mapper on a trace over its seeds.  If rows have confidence intervals, the
 *  least and the largest value are the ends of the intervals. */
struct results_spread plot_results_speedup(const struct results *r, uint32_t trace,
                                           uint32_t mapper);

/** Accepts zeroed results. */
void plot_results_clear(struct plot_results *p);

/** The results of a plot, read into @p own if they have not been read; NULL on failure.  @p own
 *  must be zeroed at first; the caller clears it in any case. */
const struct plot_results *plot_results_of(const struct plot *p, struct plot_results *own,
                                           bool metrics, struct err *e);

/** Writes the assignments `baseline`, its label, and `subtitle`, the number of rows left out. */
void plot_results_subtitle(const struct plot_results *p, FILE *f);

/** Writes the assignments `baseline`, unless it is NULL, and `subtitle`: numbers of rows that
 *  failed, timed out, or lack the baseline. */
void plot_results_left_out(const char *baseline, size_t failed, size_t timeouts, size_t lost,
                           FILE *f);

#endif

/** @file results.h
 *  Shared part of the plots of results.tsv: speedup and metrics.
 */
#ifndef PLOTS_RESULTS_H
#define PLOTS_RESULTS_H

#include "campaign/results.h"
#include "plots/plot.h"

/** Loads columns @p numbers of the only input and divides them by the means of the plot's baseline
 *  on the same trace.  *baseline is the index of that mapper; fails if the plot names one that has
 *  no row that is ok.  On success *r is the caller's: results_clear(). */
enum status plot_results_open(struct results *r, const struct plot *p, const char *const *numbers,
                              uint32_t *baseline, struct err *e);

/** Writes the assignments `baseline`, its label, and `subtitle`, the numbers of rows left out. */
void plot_results_subtitle(const struct results *r, uint32_t baseline, FILE *f);

#endif

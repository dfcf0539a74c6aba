/** @file plot_results.h
 *  What the plots of results.tsv share.
 */
#ifndef PLOTS_RESULTS_H
#define PLOTS_RESULTS_H

#include "campaign/results.h"
#include "plots/plot.h"

/** Loads the only input with its numbers made relative to those of the plot's baseline, which
 *  must be there; *baseline is its mapper.  To be freed by results_clear(). */
enum status plot_results_open(struct results *r, const struct plot *p, const char *const *numbers,
                              uint32_t *baseline, struct err *e);

/** Writes `baseline`, the label of the baseline, and `subtitle`: what was left out, or nothing. */
void plot_results_subtitle(const struct results *r, uint32_t baseline, FILE *f);

#endif

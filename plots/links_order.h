/** @file links_order.h
 *  Which mappers come first in a picture of link loads: the baseline, the fastest one, then peers.
 */
#ifndef PLOTS_LINKS_ORDER_H
#define PLOTS_LINKS_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "plots/results.h"

/** The link loads of one mapper; nothing is owned. */
struct links_file {
  const char *path;
  const char *label;  /**< in the picture */
  const char *mapper; /**< as results.tsv names it */
  bool peer;          /**< it calls another library, as scotch */
};

/** Orders the files of one trace: the baseline of @p r, the mapper of the least mean time on
 *  @p trace (a name in @p r), the peers, and the others, each group in the order given.  O(n^2 +
 * rows of the trace). */
void links_order(struct links_file *file, size_t n, const struct plot_results *r,
                 const char *trace);

#endif

/** @file links_order.h
 *  The order of mappings in a picture of link loads.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "plots/kinds/results.h"

/** The link loads of one mapper; nothing is owned. */
struct links_file {
  const char *path;
  const char *label;  /**< label in the picture */
  const char *mapper; /**< name in results.tsv */
  bool peer;          /**< the mapper calls another library, for example Scotch */
};

/** Orders the files of one trace: the baseline of @p r, the mapper with the least mean time on
 *  @p trace (a name in @p r), the peers, and the others; each group in the order given.  O(n^2 +
 *  rows of the trace). */
void links_order(struct links_file *file, size_t n, const struct plot_results *r,
                 const char *trace);

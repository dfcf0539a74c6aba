/** @file overview.h
 *  Prints the ranking of a finished campaign as a short text.  The complete ranking is in
 *  summary.tsv.
 */
#pragma once

#include <stdio.h>

#include "campaign/plan/kind.h"
#include "common/err.h"

/** Reads summary.tsv in @p folder, of a campaign of kind @p k, and prints a table of its methods,
 *  best first: rank, name, speedup over the method @p baseline, and the methods from which each
 *  does not differ significantly.  With several subjects, the values are geometric means over the
 *  subjects; if no method is ok on all of them, there is no table.  With several machines, a table
 *  for each of the first 8 precedes the table over all. */
enum status overview_print(const struct kind *k, const char *folder, const char *baseline, FILE *f,
                           struct err *e);

/** @file means.h
 *  The means over the seeds of each mapper on each trace, as a table from which pictures can be
 *  drawn.
 */
#ifndef PLOTS_REPORT_PARTS_MEANS_H
#define PLOTS_REPORT_PARTS_MEANS_H

#include <stdio.h>

#include "common/err.h"
#include "plots/report/sheet.h"

/** Writes TSV with a row for each mapper and trace, on each machine, that has rows with status ok.
 *  Its columns are platform and swept options, if any, trace, mapper, status, and the numeric
 *  columns of results.tsv. */
enum status means_write(const struct sheet *results, FILE *f, struct err *e);

#endif

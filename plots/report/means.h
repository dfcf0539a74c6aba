/** @file means.h
 *  The means over the seeds of each mapper on each trace, as a table that pictures can be drawn of.
 */
#ifndef PLOTS_REPORT_MEANS_H
#define PLOTS_REPORT_MEANS_H

#include <stdio.h>

#include "common/err.h"
#include "plots/report/sheet.h"

/** Writes a TSV with the columns of results.tsv that are numbers, and trace, mapper and status: of
 *  rows that are ok, a row for each mapper and trace. */
enum status means_write(const struct sheet *results, FILE *f, struct err *e);

#endif

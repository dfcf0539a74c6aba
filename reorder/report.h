/** @file report.h
 *  The report of reorderings (HAICHI_REPORT): a table with a row per call.
 */
#ifndef REORDER_REPORT_H
#define REORDER_REPORT_H

#include "reorder/map.h"

/** A call that asked for another order. */
struct subject {
  const struct settings *settings;
  const char *what; /**< the call and its arguments */
  int processes;
  size_t edges;
  double seconds; /**< time taken */
};

/** Appends a row to the file, after a header if it is empty.  Processes may do so at the same time.
 *  A failure is reported on stderr. */
void report_write(const struct subject *of, const struct result *r);

#endif

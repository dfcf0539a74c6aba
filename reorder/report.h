/** @file report.h
 *  The report of reorderings (HAICHI_REPORT): a table with a row per call.
 */
#pragma once

#include "reorder/map.h"

/** A call that asked for reordering. */
struct subject {
  const struct settings *settings;
  const char *what; /**< the call and its arguments */
  int processes;
  size_t edges;
  double seconds; /**< time taken */
};

/** Appends a row to the file, and the header before it if the file is empty.  Several processes may
 *  append at the same time.  A failure is reported on stderr. */
void report_write(const struct subject *of, const struct result *r);

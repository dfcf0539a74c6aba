/** @file column.h
 *  The figures of a struct, each stated once in a table: its name, its type, where it is.  Reports,
 *  tables and stored results print and read them by that table.
 */
#ifndef COMMON_COLUMN_H
#define COMMON_COLUMN_H

#include <stddef.h>
#include <stdio.h>

#include "common/err.h"
#include "common/report.h"

enum column_type { COLUMN_U64, COLUMN_U32, COLUMN_DOUBLE };

/** A table of these ends with a name of NULL. */
struct column {
  const char *name; /**< with its unit: "hop_bytes", "simulated_time_s" */
  enum column_type type;
  size_t offset; /**< of the field in its struct */
};

/** Prints the value of @p record, a double as report_number() does. */
void column_print(const struct column *c, const void *record, FILE *f);

/** Reads what column_print() has printed; doubles are finite and not negative. */
enum status column_read(const struct column *c, void *record, const char *text, struct err *e);

/** Adds all figures of @p record to a report. */
void column_report(const struct column *table, const void *record, struct report *r);

#endif

/** @file column.h
 *  Table of the numeric fields of a struct: name, type and offset of each.  Reports, tab-separated
 *  files and stored results use this table to print and read the fields.
 */
#pragma once

#include <stdio.h>

#include "common/err.h"
#include "common/report.h"

enum column_type { COLUMN_U64, COLUMN_U32, COLUMN_DOUBLE };

/** A field.  The last entry of a table has the name NULL. */
struct column {
  const char *name; /**< includes the unit: "hop_bytes", "simulated_time_s" */
  enum column_type type;
  size_t offset; /**< offset in the struct, in bytes */
};

/** Prints field @p c of @p record; doubles as in report_number(). */
void column_print(const struct column *c, const void *record, FILE *f);

/** Parses text written by column_print() into the field.  Refuses negative and non-finite doubles.
 */
enum status column_read(const struct column *c, void *record, const char *text, struct err *e);

/** The value of field @p c of @p record as a double.  Integers above 2^53 are rounded. */
double column_value(const struct column *c, const void *record);

/** Sets the field.  Integer fields are rounded to nearest. */
void column_set(const struct column *c, void *record, double value);

/** Adds the fields of @p record listed in @p table to a report. */
void column_report(const struct column *table, const void *record, struct report *r);

/** @file column.h
 *  Description of the numeric fields of a struct, each a row of one table: name, type, offset.
 *  Reports, tab-separated files and stored results print and read the fields by that table.
 */
#ifndef COMMON_COLUMN_H
#define COMMON_COLUMN_H

#include <stddef.h>
#include <stdio.h>

#include "common/err.h"
#include "common/report.h"

enum column_type { COLUMN_U64, COLUMN_U32, COLUMN_DOUBLE };

/** A field; a table of fields ends with a name of NULL. */
struct column {
  const char *name; /**< with its unit: "hop_bytes", "simulated_time_s" */
  enum column_type type;
  size_t offset; /**< of the field in its struct */
};

/** Prints field @p c of @p record, a double as report_number() does. */
void column_print(const struct column *c, const void *record, FILE *f);

/** Reads @p text, printed by column_print(), into the field; refuses doubles that are negative or
 *  not finite. */
enum status column_read(const struct column *c, void *record, const char *text, struct err *e);

/** The value of field @p c of @p record as a number; whole ones beyond 2^53 are rounded. */
double column_value(const struct column *c, const void *record);

/** Sets the field; a whole one to the nearest whole number. */
void column_set(const struct column *c, void *record, double value);

/** Adds the fields of @p record that @p table lists to a report. */
void column_report(const struct column *table, const void *record, struct report *r);

#endif

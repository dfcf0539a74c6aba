/** @file report.h
 *  Prints the results of a subcommand as "name<TAB>value" lines or as one JSON object with the same
 *  names.  Names include units (_s, _bytes).  Printed numbers read back to the same value.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/registry.h"

struct report_format {
  const char *name;
};

extern const struct report_format report_tsv, report_json;

/** Rows are struct report_format. */
extern const struct registry report_formats;

struct report {
  FILE *f; /**< borrowed from the caller, which flushes it and checks for write errors */
  bool json;
  const char
      *prefix;    /**< set by the caller: text before the names of the next values; NULL: none */
  uint64_t count; /**< number of values printed */
};

/** Starts a report on @p f, which must outlive it.  @p format NULL selects the first format. */
void report_begin(struct report *r, FILE *f, const struct report_format *format);

/** Prints a finite number with the fewest digits, at least 15, that read back to the same double.
 */
void report_number(FILE *f, double value);

/** Adds a value.  A name consists of letters, digits and '_'. */
void report_u64(struct report *r, const char *name, uint64_t value);

/** Prints like report_number(); a non-finite value as "nan", or null in JSON. */
void report_double(struct report *r, const char *name, double value);

/** Adds a string.  Tabs, newlines and other control characters become '?' in TSV and are escaped in
 *  JSON. */
void report_text(struct report *r, const char *name, const char *value);

/** Ends the report.  Does not flush. */
void report_end(struct report *r);

/** @file report.h
 *  The figures that a subcommand prints: "name<TAB>value" lines or one JSON object, with the same
 *  names.  Units are in the names (_s, _bytes).  Numbers read back to the same value.
 */
#ifndef COMMON_REPORT_H
#define COMMON_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/registry.h"

struct report_format {
  const char *name;
};

extern const struct report_format report_tsv, report_json;

/** Of struct report_format. */
extern const struct registry report_formats;

struct report {
  FILE *f; /**< the caller's, who checks for errors when flushing it */
  bool json;
  uint64_t count; /**< of values so far */
};

/** Starts a report on @p f, which must outlive it; @p format NULL: the first. */
void report_begin(struct report *r, FILE *f, const struct report_format *format);

/** Prints a finite number with the fewest digits, from 15 on, that read back to the same double. */
void report_number(FILE *f, double value);

/** Adds a value.  Names are plain: letters, digits and '_'. */
void report_u64(struct report *r, const char *name, uint64_t value);

/** Prints as report_number() does; a value that is not finite as "nan", in JSON null. */
void report_double(struct report *r, const char *name, double value);

/** Adds a string: tabs, newlines and other controls become '?' in TSV and are escaped in JSON. */
void report_text(struct report *r, const char *name, const char *value);

/** Ends the report; does not flush. */
void report_end(struct report *r);

#endif

/** @file results.h
 *  Reader of results.tsv for plots: traces and mappers numbered in the order of their first ok row,
 *  chosen columns as numbers, and statistics over seeds.  In a table of several machines, one trace
 *  on two machines counts as two traces.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/containers/names.h"
#include "common/err.h"

#define RESULTS_NUMBERS 8 /**< maximum number of chosen columns */

struct results_row {
  uint32_t trace, mapper;        /**< indices into the names */
  double value[RESULTS_NUMBERS]; /**< values of the chosen columns, >= 0; NAN: missing */
};

struct results {
  struct names trace, mapper; /**< in the order of their first ok row; owned */
  struct names machine;    /**< machine_label() of rows; one empty name if the table has no columns
                                of machines */
  uint32_t *machine_of;    /**< by trace: its machine; owned */
  struct results_row *row; /**< rows with status ok, in file order */
  size_t rows, room, machine_room;
  size_t *order;           /**< indices of rows, sorted by trace, then mapper */
  size_t failed, timeouts; /**< number of rows with these statuses, which are not in `row` */
};

/** Reads the columns trace, mapper, status and @p numbers (names, NULL-terminated, at most
 *  RESULTS_NUMBERS; "?NAME" is optional).  A "-" or a missing column is read as NAN.  With
 *  @p machine, reads only the rows of this machine; with NULL, reads all rows, and names traces
 *  "TRACE on MACHINE" in a table of several machines.  Fails if no row read has status ok.  On
 *  failure *r is unchanged.  On success, free *r with results_clear(). */
enum status results_load(struct results *r, const char *path, const char *machine,
                         const char *const *numbers, struct err *e);

/** Accepts a zeroed struct. */
void results_clear(struct results *r);

/** Finds the index of a mapper; fails, with the list of mappers, if none of its rows is ok. */
enum status results_find_mapper(const struct results *r, const char *mapper, uint32_t *out,
                                struct err *e);

/** Divides value @p number of every row by the baseline mapper's mean on the same trace; NAN where
 *  that mean is missing or 0. */
void results_relative(struct results *r, uint32_t baseline, size_t number);

/** Statistics of one value over the seeds of a mapper on a trace. */
struct results_spread {
  size_t count; /**< number of values that are not missing; if 0, the other fields are 0 */
  double mean, min, max;
};

/** @p number is the index of a chosen column.  O(log rows + values). */
struct results_spread results_spread(const struct results *r, uint32_t trace, uint32_t mapper,
                                     size_t number);

/** Geometric mean of @p n > 0 positive values. */
double results_geometric_mean(const double *value, size_t n);

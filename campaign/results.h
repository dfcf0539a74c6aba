/** @file results.h
 *  The results of a campaign (results.tsv) as plots need them: traces and mappers in the order of
 *  their first row, chosen columns as numbers, and their means over seeds.
 */
#ifndef CAMPAIGN_RESULTS_H
#define CAMPAIGN_RESULTS_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

#define RESULTS_NUMBERS 4 /**< columns that can be chosen */

struct results_row {
  uint32_t trace, mapper;
  double value[RESULTS_NUMBERS]; /**< of the chosen columns, >= 0; NAN: missing */
};

/** Names without repetition, in order; owned. */
struct results_names {
  char **name;
  size_t count, room;
  void *tree; /**< of <search.h>, by name */
};

struct results {
  struct results_names trace, mapper;
  struct results_row *row; /**< those whose status is ok */
  size_t rows, room;
  size_t *order;           /**< the rows by trace, then mapper */
  size_t failed, timeouts; /**< rows left out */
};

/** Reads the columns trace, mapper, status and the @p numbers (NULL-terminated, at most
 *  RESULTS_NUMBERS); a "-" is missing.  On failure *r is untouched.  To be freed by
 *  results_clear(). */
enum status results_load(struct results *r, const char *path, const char *const *numbers,
                         struct err *e);
void results_clear(struct results *r);

/** The number of a mapper, which must have a row that is ok. */
enum status results_find_mapper(const struct results *r, const char *mapper, uint32_t *out,
                                struct err *e);

/** Divides value @p number of every row by the mean of the baseline's on the same trace; NAN where
 *  that is missing or 0. */
void results_relative(struct results *r, uint32_t baseline, size_t number);

/** Over the seeds of a mapper on a trace. */
struct results_spread {
  size_t count; /**< values that are there; the others are 0 if it is */
  double mean, min, max;
};

/** O(log rows) and the values. */
struct results_spread results_spread(const struct results *r, uint32_t trace, uint32_t mapper,
                                     size_t number);

/** Of @p n positive values, n > 0. */
double results_geometric_mean(const double *value, size_t n);

#endif

/** @file change.h
 *  Compares the tables of two finished campaigns: which cells got significantly better or worse.  A
 *  cell is one mapper on one trace on one machine (campaign/plan/machine.h).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/containers/names.h"
#include "common/err.h"

enum change_verdict {
  CHANGE_SAME,    /**< all values are unchanged */
  CHANGE_UNCLEAR, /**< the values differ, but not beyond noise or the tolerance */
  CHANGE_BETTER,
  CHANGE_WORSE,
  CHANGE_GONE, /**< only the first campaign has the cell */
  CHANGE_NEW,  /**< only the second campaign has the cell */
  CHANGE_VERDICTS
};

enum change_test {
  CHANGE_NONE,   /**< a side has one value: the noise is unknown */
  CHANGE_PAIRED, /**< paired t-test of the logarithms: both sides have the same seeds */
  CHANGE_WELCH,  /**< Welch's t-test of the logarithms */
  CHANGE_TESTS
};

/** Names for tables: "better", "paired t", ... */
const char *change_verdict_name(enum change_verdict v);
const char *change_test_name(enum change_test t);

struct change_cell {
  uint32_t trace, mapper; /**< indices into the names of struct changes */
  size_t values[2]; /**< number of values before and after: one per seed, or one per repetition if
                       there is one seed */
  double mean_s[2]; /**< mean time before and after; NAN: no value */
  double ratio;     /**< geometric mean after / geometric mean before; NAN: one is missing or 0 */
  double p;         /**< corrected p-value; NAN: not tested */
  enum change_test test;
  enum change_verdict verdict;
};

/** One mapper over all its traces. */
struct change_mapper {
  size_t verdict[CHANGE_VERDICTS]; /**< number of cells with each verdict */
  size_t cells;                    /**< number of cells with a ratio, for `ratio` and `p` */
  double ratio;                    /**< geometric mean of the ratios; NAN: no cells */
  double p; /**< corrected p-value of a paired t-test of the logarithms over the cells; NAN: fewer
               than 2 */
};

struct changes {
  struct names trace, mapper;
  struct change_cell *cell; /**< by trace, then mapper, in the order of their first rows; owned */
  size_t cells, room;
  struct change_mapper *mappers; /**< one for each mapper, mapper.count entries; owned */
  size_t verdict[CHANGE_VERDICTS];
};

/** Compares results.tsv and repeats.tsv of the folders @p before and @p after.  Rows that are not
 *  ok are ignored.  A cell got better or worse if its ratio changed by more than the fraction
 *  @p tolerance and the p-value, if there is one, is below 0.05.  The p-values of all cells are
 *  corrected together, and the p-values of all mappers together (Holm).  On success, free *c with
 *  change_clear(). */
enum status change_find(struct changes *c, const char *before, const char *after, double tolerance,
                        struct err *e);

/** Accepts a zeroed struct. */
void change_clear(struct changes *c);

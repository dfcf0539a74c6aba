/** @file change.h
 *  What got better or worse from one campaign to another, beyond noise: a cell is one mapper on one
 *  trace.  Compares what is stored; makes no runs.
 */
#ifndef CAMPAIGN_CHANGE_H
#define CAMPAIGN_CHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/names.h"

enum change_verdict {
  CHANGE_SAME,    /**< all values are what they were */
  CHANGE_UNCLEAR, /**< they differ, but not beyond noise or the tolerance */
  CHANGE_BETTER,
  CHANGE_WORSE,
  CHANGE_GONE, /**< only the first campaign has the cell */
  CHANGE_NEW,  /**< only the second */
  CHANGE_VERDICTS
};

enum change_test {
  CHANGE_NONE,   /**< one value on a side: nothing is known of noise */
  CHANGE_PAIRED, /**< paired t-test of the logarithms: both sides have the same seeds */
  CHANGE_WELCH,  /**< Welch's t-test of the logarithms */
  CHANGE_TESTS
};

/** A word for each: "better", "paired t", ... */
const char *change_verdict_name(enum change_verdict v);
const char *change_test_name(enum change_test t);

struct change_cell {
  uint32_t trace, mapper; /**< in struct changes */
  size_t values[2];       /**< before and after: seeds, or repetitions if there is one seed */
  double mean_s[2];       /**< simulated time; NAN: none */
  double ratio;           /**< after / before, of geometric means; NAN: one is missing or 0 */
  double p;               /**< corrected; NAN: not tested */
  enum change_test test;
  enum change_verdict verdict;
};

/** All cells of a mapper that both have. */
struct change_mapper {
  uint32_t mapper;
  size_t cells, verdict[CHANGE_VERDICTS];
  double ratio; /**< geometric mean over the cells; NAN: none */
  double p;     /**< paired t-test of the logarithms over them, corrected; NAN: fewer than 2 */
};

struct changes {
  struct names trace, mapper;
  struct change_cell *cell; /**< by trace, then mapper, in the order of their first rows; owned */
  size_t cells, room;
  struct change_mapper *mappers; /**< by mapper, mapper.count of them; owned */
  size_t verdict[CHANGE_VERDICTS];
};

/** Compares the folders @p before and @p after: their results.tsv and repeats.tsv.  Rows that are
 *  not ok do not count.  A cell got better or worse if it changed by more than @p tolerance, a
 * share, and, where it can be tested, significantly: with a p-value below 0.05.  All p-values of
 * cells are corrected together, and those of mappers (Holm).  On success *c is the caller's:
 * change_clear(). */
enum status change_find(struct changes *c, const char *before, const char *after, double tolerance,
                        struct err *e);

/** Accepts zeroed ones. */
void change_clear(struct changes *c);

#endif

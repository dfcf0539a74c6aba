/** @file regress.h
 *  Compares mappings with a baseline: a table of mappings and their figures, which are computed
 *  again.  A baseline is a table that regress_save() wrote, or results.tsv of a campaign.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "campaign/plan/machine.h"
#include "common/err.h"
#include "setup/settings.h"

/** The figures, in the order of their columns. */
enum regress_figure {
  REGRESS_HOP_BYTES,
  REGRESS_LINK_LOAD,
  REGRESS_CARDINALITY, /**< higher is better; for all other figures, lower is better */
  REGRESS_TIME,
  REGRESS_FIGURES
};

/** Column name of a figure: "hop_bytes", ... */
const char *regress_name(enum regress_figure f);

struct regress_row {
  uint64_t line;                  /**< line number in the baseline */
  char *machine[MACHINE_OPTIONS]; /**< the platform; swept options, each NULL if not given; owned */
  char *trace, *mapper, *seed;    /**< as given; seed "-": none; owned */
  double before[REGRESS_FIGURES]; /**< figures in the baseline; NAN: not given and not compared */
  unsigned figures;               /**< number of given figures */
  double now[REGRESS_FIGURES];    /**< figures computed by regress_run(); on an opaque platform, NAN
                                     except the time */
};

struct regress {
  const char *path; /**< borrowed from the caller */
  char *comments;   /**< comments before the header that regress_save() keeps; owned */
  struct regress_row *row;
  size_t rows, room;
  bool has[MACHINE_OPTIONS]; /**< some row has the option */
};

/** Reads a baseline.  Columns trace and mapper are required.  Column platform is required unless
 *  @p platform is given or a comment "# platform P" names it.  Swept options of machines are
 *  columns, or comments as "# bandwidth 1GBps".  Columns seed and figures are optional, and their
 *  fields may be "-".  Refuses a column that results.tsv does not have, and a comment
 *  "# options ..." that differs from the options @p s.  On success, free *r with
 *  regress_clear(). */
enum status regress_load(struct regress *r, const char *path, const char *platform,
                         const struct settings *s, struct err *e);

/** Accepts a zeroed struct. */
void regress_clear(struct regress *r);

/** Maps, scores and simulates each row again, @p jobs in parallel.  The figures do not depend on
 *  @p jobs.  If a row fails, fails with its line number in the baseline. */
enum status regress_run(struct regress *r, const struct settings *s, uint32_t jobs, struct err *e);

/** Fails at the first row without any figure, since it could not be compared. */
enum status regress_need_figures(const struct regress *r, struct err *e);

/** After regress_run(): fails at the first given figure that cannot be computed any more. */
enum status regress_check(const struct regress *r, struct err *e);

/** Relative change of the figure, now / before - 1; NAN if it is not compared, INFINITY if it grew
 *  from 0. */
double regress_change(const struct regress_row *row, enum regress_figure f);

/** True if the figure got worse by more than the fraction @p tolerance. */
bool regress_is_worse(const struct regress_row *row, enum regress_figure f, double tolerance);
/** True if the figure got better by more than the fraction @p tolerance. */
bool regress_is_better(const struct regress_row *row, enum regress_figure f, double tolerance);

/** Replaces the file of the baseline by a table with the new figures; on failure the old file
 *  stays. */
enum status regress_save(const struct regress *r, const struct settings *s, struct err *e);

/** @file regress.h
 *  Guards the quality of mappings: a baseline is a table of mappings with figures they had, which
 *  are computed again and compared.  Reads what it writes and results.tsv of a campaign.
 */
#ifndef CAMPAIGN_REGRESS_H
#define CAMPAIGN_REGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "campaign/settings.h"
#include "common/err.h"

/** The figures, in the order of their columns. */
enum regress_figure {
  REGRESS_HOP_BYTES,
  REGRESS_LINK_LOAD,
  REGRESS_CARDINALITY, /**< more is better; of the others less is */
  REGRESS_TIME,
  REGRESS_FIGURES
};

/** The column of a figure: "hop_bytes", ... */
const char *regress_name(enum regress_figure f);

struct regress_row {
  uint64_t line;                          /**< in the baseline */
  char *platform, *trace, *mapper, *seed; /**< as given; the seed "-": none.  Owned */
  double before[REGRESS_FIGURES];         /**< NAN: not given, then not compared */
  unsigned figures;                       /**< how many are given */
  double now[REGRESS_FIGURES];            /**< after regress_run(); NAN on an opaque platform */
};

struct regress {
  const char *path; /**< the caller's */
  char *comments;   /**< lines before the header that are kept; owned */
  struct regress_row *row;
  size_t rows, room;
};

/** Reads a baseline.  Columns trace and mapper must be there; platform may be missing if @p
 *  platform is given or a comment "# platform P" names it; seed and figures may be missing or
 *  "-"; a column that results.tsv does not have is refused.  A comment "# options ..." must state
 * @p s.  On success *r is the caller's: regress_clear(). */
enum status regress_load(struct regress *r, const char *path, const char *platform,
                         const struct settings *s, struct err *e);

/** Accepts a zeroed one. */
void regress_clear(struct regress *r);

/** Maps, scores and simulates each row anew, @p jobs at a time, which changes no figure.
 *  Fails, with the line of the baseline, if a row cannot be. */
enum status regress_run(struct regress *r, const struct settings *s, uint32_t jobs, struct err *e);

/** Fails at the first row without any figure: to compare it would compare nothing. */
enum status regress_need_figures(const struct regress *r, struct err *e);

/** After regress_run(): fails at the first figure that is given and cannot be computed now. */
enum status regress_check(const struct regress *r, struct err *e);

/** By how much the figure grew, as a share of what it was; NAN if it is not compared, INFINITY
 *  if it was 0. */
double regress_change(const struct regress_row *row, enum regress_figure f);

/** Is it worse by more than @p tolerance, a share? */
bool regress_is_worse(const struct regress_row *row, enum regress_figure f, double tolerance);
/** Is it better by more than that? */
bool regress_is_better(const struct regress_row *row, enum regress_figure f, double tolerance);

/** Replaces the baseline by one with the figures of now; all or nothing. */
enum status regress_save(const struct regress *r, const struct settings *s, struct err *e);

#endif

/** @file fit.h
 *  Which metric of a mapping predicts its simulated time: rank correlations, and least squares
 *  of the time on each metric and on each two, of results of campaigns.
 *
 *  A group is the rows of one trace in one file, which has one platform.  Over all groups,
 *  times and metrics count as shares of their group's mean.
 */
#ifndef CAMPAIGN_FIT_H
#define CAMPAIGN_FIT_H

#include <stddef.h>

#include "campaign/results.h"
#include "common/err.h"
#include "common/regression.h"

/** Metrics, predictors (a metric or two), and the fewest rows of a group. */
enum { FIT_METRICS = 6, FIT_PREDICTORS = FIT_METRICS * (FIT_METRICS + 1) / 2, FIT_FEWEST = 5 };

/** The column of a metric: "hop_bytes", ... */
const char *fit_metric(size_t i);

struct fit_predictor {
  size_t metric[LEAST_SQUARES_MOST], metrics; /**< 1 or 2 of them */
};

/** Predictor @p i: the metrics, then each two. */
struct fit_predictor fit_predictor(size_t i);

/** The rows of a group. */
struct fit_group {
  const char *path, *trace; /**< of the group's file, and of its struct results */
  size_t rows;
  double *time;                /**< owned, as the next */
  double *metric[FIT_METRICS]; /**< each a number a row */
};

/** How well one predictor does: all NAN where the rows do not tell.  Rank correlations of two
 *  metrics are those of the time that they predict. */
struct fit_quality {
  double spearman, kendall;
  struct least_squares line;
  double error; /**< line.left as a share of the mean time */
};

struct fit {
  struct results *file; /**< one a path; owned */
  size_t files;
  struct fit_group *group; /**< in the order of files and traces, and last all of them; owned */
  size_t groups;           /**< without the last */
};

/** Reads @p n files results.tsv; @p time is the column to predict.  Rows without metrics or
 *  time do not count; groups of fewer than FIT_FEWEST rows neither; none left is an error.  On
 *  success *f is the caller's: fit_clear(); @p path outlives it. */
enum status fit_load(struct fit *f, const char *const *path, size_t n, const char *time,
                     struct err *e);

/** Accepts a zeroed one. */
void fit_clear(struct fit *f);

/** Fills @p quality, FIT_PREDICTORS entries. */
enum status fit_compute(const struct fit_group *g, struct fit_quality *quality, struct err *e);

#endif

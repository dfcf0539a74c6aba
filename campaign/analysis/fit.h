/** @file fit.h
 *  Measures how well metrics of mappings predict simulated times: rank correlations, and least
 *  squares of the time on each metric and each pair of metrics, over the results of campaigns.
 *
 *  A group is the rows of one trace in one file, which has one platform.  A last group has all
 *  rows, with times and metrics divided by the means of their groups.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "campaign/results/results.h"
#include "common/err.h"
#include "common/numeric/regression.h"

/** Number of metrics, number of predictors (single metrics and pairs), minimum rows of a group. */
enum { FIT_METRICS = 7, FIT_PREDICTORS = FIT_METRICS * (FIT_METRICS + 1) / 2, FIT_FEWEST = 5 };

/** Column name of a metric: "hop_bytes", ... */
const char *fit_metric(size_t i);

struct fit_predictor {
  size_t metric[LEAST_SQUARES_MOST]; /**< indices for fit_metric() */
  size_t metrics;                    /**< number of metrics: 1 or 2 */
};

/** Predictor @p i: first the single metrics, then the pairs. */
struct fit_predictor fit_predictor(size_t i);

/** The rows of a group. */
struct fit_group {
  const char *path;  /**< file name, borrowed from the caller */
  const char *trace; /**< name of the trace, borrowed from struct results */
  size_t rows;
  double *time;                /**< by row; owned */
  double *metric[FIT_METRICS]; /**< by metric and row; owned */
};

/** Quality of one predictor; all NAN if the rows do not determine the fit, or if a row lacks a
 *  metric.  For a pair of metrics, the rank correlations are between the time and the time that the
 *  fit predicts. */
struct fit_quality {
  double spearman, kendall;
  struct least_squares line;
  double error; /**< relative error of leave-one-out prediction: line.left / mean time */
};

struct fit {
  struct results *file; /**< one per path; owned */
  size_t files;
  struct fit_group *group; /**< in the order of files and traces, then all rows; owned */
  size_t groups;           /**< number of groups, without the group of all rows */
};

/** Reads @p n files results.tsv; @p time is the column to predict.  Ignores rows without metrics or
 *  time, and groups of fewer than FIT_FEWEST rows; fails if no group is left.  @p path must outlive
 *  *f.  On success, free *f with fit_clear(). */
enum status fit_load(struct fit *f, const char *const *path, size_t n, const char *time,
                     struct err *e);

/** True if each row of @p g has metric @p metric; a row that lacks it has NAN. */
bool fit_has_all(const struct fit_group *g, size_t metric);

/** Accepts a zeroed struct. */
void fit_clear(struct fit *f);

/** Computes the quality of all predictors; @p quality has FIT_PREDICTORS entries. */
enum status fit_compute(const struct fit_group *g, struct fit_quality *quality, struct err *e);

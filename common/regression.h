/** @file regression.h
 *  How well numbers predict others: rank correlations and least squares of one or two predictors.
 */
#ifndef COMMON_REGRESSION_H
#define COMMON_REGRESSION_H

#include <stddef.h>

#include "common/err.h"

/** Spearman's rank correlation of @p n pairs, equal values having the mean of their ranks; NAN if a
 *  side has no two values that differ.  O(n log n). */
enum status rank_spearman(const double *x, const double *y, size_t n, double *out, struct err *e);

/** Kendall's tau-b (Knight, Journal of the American Statistical Association 61, 1966); NAN as
 *  above.  O(n log n). */
enum status rank_kendall(const double *x, const double *y, size_t n, double *out, struct err *e);

/** The most predictors. */
enum { LEAST_SQUARES_MOST = 2 };

struct least_squares {
  double at_zero; /**< y where all predictors are 0 */
  double slope[LEAST_SQUARES_MOST];
  double r2;   /**< share of the variance of y that is explained */
  double left; /**< root of the mean square error of each y, predicted from all others */
};

/** Fits y = at_zero + sum of slope * x over @p k predictors of @p n values each, by an orthogonal
 *  basis of the centred predictors.  All NAN if the values do not determine the slopes, if y is
 *  constant, or if n < k + 2. */
enum status least_squares_fit(struct least_squares *out, const double *const *x, size_t k,
                              const double *y, size_t n, struct err *e);

/** The value that the fit predicts for value @p i of the predictors. */
double least_squares_at(const struct least_squares *f, const double *const *x, size_t k, size_t i);

#endif

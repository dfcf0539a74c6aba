/** @file regression.h
 *  Rank correlations, and least-squares fits with one or two predictors.
 */
#pragma once

#include <stddef.h>

#include "common/err.h"

/** Spearman's rank correlation of @p n pairs.  Values that are alike (stats.h) are equal and get
 *  the mean of their ranks.  NAN if all x or all y are equal.  O(n log n). */
enum status rank_spearman(const double *x, const double *y, size_t n, double *out, struct err *e);

/** Kendall's tau-b (Knight, Journal of the American Statistical Association 61, 1966).  Values
 *  that are alike are equal.  NAN if all x or all y are equal.  O(n log n). */
enum status rank_kendall(const double *x, const double *y, size_t n, double *out, struct err *e);

/** Maximum number of predictors. */
enum { LEAST_SQUARES_MOST = 2 };

struct least_squares {
  double at_zero; /**< y where all predictors are 0 (the intercept) */
  double slope[LEAST_SQUARES_MOST];
  double r2;   /**< explained fraction of the variance of y */
  double left; /**< root mean square error of leave-one-out prediction, in units of y */
};

/** Fits y = at_zero + sum of slope * x to @p n values of @p k predictors, with an orthogonal basis
 *  of the centred predictors.  All results are NAN if the values do not determine the slopes, if y
 *  is constant, or if n < k + 2.  `left` alone is NAN if the slopes depend on a single value. */
enum status least_squares_fit(struct least_squares *out, const double *const *x, size_t k,
                              const double *y, size_t n, struct err *e);

/** The predicted y for row @p i of the predictors. */
double least_squares_at(const struct least_squares *f, const double *const *x, size_t k, size_t i);

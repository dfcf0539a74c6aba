/** @file settle.h
 *  Finds where a series of numbers settles, and the mean of the numbers from there on with its
 *  interval.  The callers apply this to times of blocks and of iterations.
 *
 *  The start is found by MSER (White, Simulation 69, 1997) with batches of one value: among all
 *  starts in the first half, the start with the least standard error of the mean of the remaining
 *  values, computed as if values were independent.  The interval accounts for autocorrelation: the
 *  variance of the mean is the variance for independent values times the integrated autocorrelation
 *  time, by Geyer's initial positive sequence (Statistical Science 7, 1992).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/** In a series of fewer values, settle_find() takes all values as settled. */
enum { SETTLE_FEWEST = 4 };

struct settled {
  size_t start;  /**< index of the first value that counts */
  bool never;    /**< the least standard error is at the middle: the series does not settle */
  double mean;   /**< mean of the values from start on; 0 if there are none */
  double error;  /**< standard error of the mean; 0 for fewer than 2 values */
  double degree; /**< degrees of freedom of the interval: effective number of values - 1; 0: no
                      interval */
};

/** Mean, standard error and degrees of freedom of all @p n values; start is 0.  O(n lags). */
struct settled settle_mean(const double *x, size_t n);

/** Mean, standard error and degrees of freedom of the settled values, and their start.
 *  O(n lags). */
struct settled settle_find(const double *x, size_t n);

/** Half the width of the 95 % confidence interval of a value with standard error @p error and
 *  @p degree degrees of freedom: 0 if @p error is 0; if not, NAN if @p degree is 0. */
double settle_half_interval(double error, double degree);

/** @file settle.h
 *  Finds where a series of times settles, and the mean of the values from there on with its
 *  interval.  Knows nothing of blocks or iterations: numbers in, numbers out.
 *
 *  The start is found by MSER (White, Simulation 69, 1997) with batches of one value: among all
 *  starts in the first half, the start with the least standard error of the mean of the remaining
 *  values, computed as if these were independent.  The interval accounts for autocorrelation: the
 *  variance of the mean is the variance for independent values times the integrated autocorrelation
 *  time, by Geyer's initial positive sequence (Statistical Science 7, 1992).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/** Fewest values with which a start is left out. */
enum { SETTLE_FEWEST = 4 };

struct settled {
  size_t start;  /**< index of the first value that counts */
  bool never;    /**< the standard error falls until the middle: the series never settles */
  double mean;   /**< mean of the values from start on; 0 if there are none */
  double error;  /**< standard error of the mean; 0 for fewer than 2 values */
  double degree; /**< degrees of freedom of the interval: effective number of values - 1; 0: no
                      interval */
};

/** Mean, standard error and degrees of freedom of all @p n values; start is 0.  O(n lags). */
struct settled settle_mean(const double *x, size_t n);

/** Like settle_mean(), for the values from the first settled one on; for all if there are fewer
 *  than SETTLE_FEWEST. */
struct settled settle_find(const double *x, size_t n);

/** Half the width of the 95 % confidence interval of a value with standard error @p error; 0
 *  without an error, NAN without degrees of freedom. */
double settle_half_interval(double error, double degree);

/** @file stats.h
 *  Statistics of small samples: Student's t, Welch's test, Holm's correction.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/err.h"

/** Significance level: a difference with a lower p-value is called significant. */
#define STATS_LEVEL 0.05

/** Values that differ by less than this share are equal: the order of sums changes the last digits.
 */
#define STATS_ALIKE 1e-9

/** True if @p a and @p b differ by at most STATS_ALIKE of the larger. */
bool stats_alike(double a, double b);

struct sample {
  size_t n;
  double mean;
  double sd; /**< standard deviation with divisor n - 1; 0 if n < 2 */
};

/** Mean and standard deviation of @p n values. */
struct sample sample_of(const double *x, size_t n);

/** Half the width of the 95 % confidence interval of the mean, by Student's t.  NAN if n < 2. */
double sample_half_interval(const struct sample *s);

/** Probability that Student's t with @p df > 0 degrees of freedom is below @p t.  Evaluates the
 *  incomplete beta function by its continued fraction (Lentz) to 1e-14. */
double student_cdf(double t, double df);

/** Two-sided p-value of the hypothesis that two samples have equal means, with unequal variances
 *  (Welch, Biometrika 34, 1947).  NAN if a sample has fewer than 2 values.  1 for means that are
 *  alike; 0 for other means if both variances are 0. */
double welch_test(const struct sample *a, const struct sample *b);

/** Two-sided p-value of the hypothesis that the @p n differences of logarithms have mean 0. Special
 *  cases as in welch_test(). */
double paired_test(const double *difference, size_t n);

/** Corrects @p n p-values, each @p stride bytes after the one before it, for multiple tests with
 *  Holm's step-down procedure (Scandinavian Journal of Statistics 6, 1979), in place.  NANs stay
 * and are not counted as tests. */
enum status holm_correct(double *p, size_t n, size_t stride, struct err *e);

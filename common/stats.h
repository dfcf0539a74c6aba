/** @file stats.h
 *  Statistics of small samples: Student's t, Welch's test, Holm's correction.
 */
#ifndef COMMON_STATS_H
#define COMMON_STATS_H

#include <stddef.h>

#include "common/err.h"

/** A difference with a p-value below it is called significant. */
#define STATS_LEVEL 0.05

struct sample {
  size_t n;
  double mean;
  double sd; /**< standard deviation with n - 1; 0 if n < 2 */
};

/** Of @p n values; n >= 0. */
struct sample sample_of(const double *x, size_t n);

/** Half of the width of the 95 % confidence interval of the mean, by Student's t; NAN if n < 2. */
double sample_half_interval(const struct sample *s);

/** Probability that Student's t of @p df > 0 degrees of freedom is below @p t.  The incomplete beta
 *  function by its continued fraction (Lentz), to 1e-14. */
double student_cdf(double t, double df);

/** Two-sided p-value of the hypothesis that two samples have one mean, variances unequal (Welch,
 *  Biometrika 34, 1947); NAN if one has fewer than 2 values.  Without any spread: 1 if the means
 *  are equal, else 0. */
double welch_test(const struct sample *a, const struct sample *b);

/** The same of the hypothesis that differences have the mean 0. */
double paired_test(const struct sample *differences);

/** Replaces @p n p-values by those that Holm's step-down procedure corrects for their number
 *  (Scandinavian Journal of Statistics 6, 1979); NANs stay and do not count. */
enum status holm_correct(double *p, size_t n, struct err *e);

#endif

#include "predict/settle.h"

#include <math.h>

#include "common/numeric/stats.h"

/* Differences below this share of the mean are rounding errors, not an unsettled start. */
#define ROUNDING 1e-9

/* Running mean and sum of squared deviations (Welford), free of cancellation. */
struct spread {
  double n, mean, squares;
};

static void spread_add(struct spread *s, double x)
{
  s->n++;
  const double off = x - s->mean;
  s->mean += off / s->n;
  s->squares += off * (x - s->mean);
}

/* The criterion that MSER minimises, for the values added so far: squares / n^2. */
static double mser(const struct spread *s)
{
  const double floor = ROUNDING * fabs(s->mean);
  return fmax(s->squares / s->n, floor * floor) / s->n;
}

/* Index of the first settled value of @p n: 0 if n < SETTLE_FEWEST.  O(n). */
static size_t find_start(const double *x, size_t n, bool *never)
{
  struct spread s = {0};
  const size_t half = n / 2;
  size_t start = 0;
  double least = INFINITY;
  *never = false;
  if (n < SETTLE_FEWEST)
    return 0;
  for (size_t i = n; i-- > 0;) {
    spread_add(&s, x[i]);
    if (i > half)
      continue;
    const double here = mser(&s);
    if (here <= least) {
      least = here;
      start = i;
    }
  }
  *never = start == half;
  return start;
}

/* Autocovariance at @p lag, with divisor n. */
static double covariance(const double *x, size_t n, double mean, size_t lag)
{
  double sum = 0;
  for (size_t i = 0; i + lag < n; i++)
    sum += (x[i] - mean) * (x[i + lag] - mean);
  return sum / (double)n;
}

/* Factor by which autocorrelation increases the variance of the mean.  At least 1: oscillation
 * about the mean does not narrow the interval. */
static double autocorrelation(const double *x, size_t n, double mean)
{
  const double variance = covariance(x, n, mean, 0);
  double time = -1;
  if (variance <= 0)
    return 1;
  for (size_t lag = 0; lag + 1 < n / 2; lag += 2) {
    const double pair = (covariance(x, n, mean, lag) + covariance(x, n, mean, lag + 1)) / variance;
    if (pair <= 0)
      break;
    time += 2 * pair;
  }
  return fmin(fmax(time, 1), (double)n / 2);
}

struct settled settle_mean(const double *x, size_t n)
{
  struct settled r = {.start = 0};
  if (n == 0)
    return r;
  const struct sample s = sample_of(x, n);
  r.mean = s.mean;
  if (n < 2)
    return r;
  const double time = autocorrelation(x, n, s.mean);
  r.error = s.sd * sqrt(time / (double)n);
  r.degree = fmax((double)n / time - 1, 1);
  return r;
}

struct settled settle_find(const double *x, size_t n)
{
  bool never;
  if (n < SETTLE_FEWEST)
    return settle_mean(x, n);
  const size_t start = find_start(x, n, &never);
  struct settled r = settle_mean(x + start, n - start);
  r.start = start;
  r.never = never;
  return r;
}

double settle_half_interval(double error, double degree)
{
  double low = 0, high = 1e3;
  if (degree <= 0)
    return NAN;
  if (error == 0)
    return 0;
  for (int i = 0; i < 80; i++) {
    const double t = (low + high) / 2;
    if (student_cdf(t, degree) < 0.975)
      low = t;
    else
      high = t;
  }
  return low * error;
}

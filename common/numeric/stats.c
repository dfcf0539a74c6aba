#include "common/numeric/stats.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"

bool stats_alike(double a, double b)
{
  return fabs(a - b) <= STATS_ALIKE * fmax(fabs(a), fabs(b));
}

struct sample sample_of(const double *x, size_t n)
{
  struct sample s = {.n = n};
  double squares = 0;
  /* Deviations from the first value: the mean of equal values is exact. */
  for (size_t i = 1; i < n; i++)
    s.mean += (x[i] - x[0]) / (double)n;
  s.mean += n > 0 ? x[0] : 0;
  for (size_t i = 0; i < n; i++)
    squares += (x[i] - s.mean) * (x[i] - s.mean);
  s.sd = n < 2 ? 0 : sqrt(squares / (double)(n - 1));
  return s;
}

/* --- Student's t ------------------------------------------------------------------------------ */

/* The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
  const double tiny = 1e-300;
  double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), f = d;
  for (int m = 1; m < 1000; m++) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    f *= c * d;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d);
    c = fabs(1 + odd / c) < tiny ? tiny : 1 + odd / c;
    const double step = c * d;
    f *= step;
    if (fabs(step - 1) < 1e-15)
      break;
  }
  return f;
}

/* The regularised incomplete beta function I_x(a, b). */
static double beta(double a, double b, double x)
{
  if (x <= 0 || x >= 1)
    return x <= 0 ? 0 : 1;
  const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
  if (x < (a + 1) / (a + b + 2))
    return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* Probability that Student's t exceeds |t| in absolute value. */
static double two_sided(double t, double df)
{
  return isinf(t) ? 0 : beta(df / 2, 0.5, df / (df + t * t));
}

double student_cdf(double t, double df)
{
  const double tail = two_sided(t, df) / 2;
  return t < 0 ? tail : 1 - tail;
}

/* The 97.5 % quantile of Student's t, by bisection. */
static double quantile_975(double df)
{
  double low = 0, high = 1e8;
  for (int i = 0; i < 200 && high - low > 1e-12 * high; i++) {
    const double middle = (low + high) / 2;
    if (two_sided(middle, df) > 0.05)
      low = middle;
    else
      high = middle;
  }
  return high;
}

double sample_half_interval(const struct sample *s)
{
  if (s->n < 2)
    return NAN;
  return quantile_975((double)(s->n - 1)) * s->sd / sqrt((double)s->n);
}

/* --- tests ------------------------------------------------------------------------------------ */

double welch_test(const struct sample *a, const struct sample *b)
{
  if (a->n < 2 || b->n < 2)
    return NAN;
  if (stats_alike(a->mean, b->mean))
    return 1;
  const double va = a->sd * a->sd / (double)a->n, vb = b->sd * b->sd / (double)b->n;
  if (va + vb <= 0)
    return 0;
  const double df =
      (va + vb) * (va + vb) / (va * va / (double)(a->n - 1) + vb * vb / (double)(b->n - 1));
  return two_sided((a->mean - b->mean) / sqrt(va + vb), df);
}

double paired_test(const double *difference, size_t n)
{
  const struct sample d = sample_of(difference, n);
  if (n < 2)
    return NAN;
  if (fabs(d.mean) <= STATS_ALIKE)
    return 1;
  return d.sd <= 0 ? 0 : two_sided(d.mean / (d.sd / sqrt((double)n)), (double)(n - 1));
}

static int by_value(const void *a, const void *b)
{
  return rising_double(*(double *const *)a, *(double *const *)b);
}

enum status holm_correct(double *p, size_t n, size_t stride, struct err *e)
{
  size_t count = 0;
  double most = 0;
  OWNED double **order = mem_array(n, sizeof *order, e);
  if (order == NULL)
    return FAIL;
  for (size_t i = 0; i < n; i++) {
    double *value = (void *)((char *)p + i * stride);
    if (!isnan(*value))
      order[count++] = value;
  }
  qsort(order, count, sizeof *order, by_value);
  for (size_t i = 0; i < count; i++)
    *order[i] = most = fmax(most, fmin(1, *order[i] * (double)(count - i)));
  return OK;
}

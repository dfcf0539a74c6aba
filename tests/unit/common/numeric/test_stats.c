/* Student's t compared with closed forms and printed tables; rates of false rejections. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/numeric/rng.h"
#include "common/numeric/stats.h"

#define PI 3.14159265358979323846

static void assert_near(double a, double b, double bound)
{
  if (!(fabs(a - b) <= bound))
    fail_msg("%.17g is not %.17g", a, b);
}

static void t_of_one_and_two_degrees_has_closed_forms(void **state)
{
  (void)state;
  for (double t = -50; t <= 50; t += 0.37) {
    assert_near(student_cdf(t, 1), 0.5 + atan(t) / PI, 1e-13);
    assert_near(student_cdf(t, 2), 0.5 + t / (2 * sqrt(2 + t * t)), 1e-13);
    assert_near(student_cdf(t, 1e7), 0.5 * erfc(-t / sqrt(2)), 1e-7);
  }
  assert_near(student_cdf(0, 3.7), 0.5, 1e-15);
}

/* Half of the interval of a sample with sd 1 is the quantile divided by sqrt(n). */
static void intervals_agree_with_printed_tables(void **state)
{
  (void)state;
  static const struct {
    size_t n;
    double quantile; /* of probability 0.975 with n - 1 degrees of freedom */
  } ROWS[] = {{2, 12.706204736}, {3, 4.302652730},  {5, 2.776445105},
              {10, 2.262157163}, {31, 2.042272456}, {121, 1.979930405}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    const struct sample s = {.n = ROWS[i].n, .mean = 7, .sd = 1};
    assert_near(sample_half_interval(&s) * sqrt((double)s.n), ROWS[i].quantile, 1e-8);
  }
  const struct sample one = {.n = 1, .mean = 7};
  assert_true(isnan(sample_half_interval(&one)));
}

static void samples_have_mean_and_deviation(void **state)
{
  (void)state;
  const double x[] = {2, 4, 4, 4, 5, 5, 7, 9};
  const struct sample s = sample_of(x, 8), one = sample_of(x, 1), none = sample_of(x, 0);
  assert_near(s.mean, 5, 1e-15);
  assert_near(s.sd, sqrt(32.0 / 7), 1e-15);
  assert_true(one.mean == 2 && one.sd == 0 && none.n == 0);
  double equal[40];
  for (size_t n = 1; n <= 40; n++) { /* n times a value that is no sum of few powers of 2 */
    equal[n - 1] = 0.0027897666603977486;
    assert_true(sample_of(equal, n).mean == equal[0] && sample_of(equal, n).sd == 0);
  }
}

static void tests_of_extreme_samples(void **state)
{
  (void)state;
  const struct sample a = {5, 1, 0}, b = {5, 2, 0}, one = {1, 3, 0}, c = {4, 1, 0.1};
  assert_true(welch_test(&a, &a) == 1 && welch_test(&a, &b) == 0);
  const double ones[] = {1, 1, 1, 1, 1}, zeros[] = {0, 0, 0};
  assert_true(isnan(welch_test(&a, &one)) && isnan(paired_test(ones, 1)));
  assert_true(isnan(paired_test(ones, 0)));
  assert_true(paired_test(ones, 5) == 0 && paired_test(zeros, 3) == 1);
  const struct sample rounded = {5, 1 + 1e-12, 0}, near = {5, 1 + 1e-8, 0};
  const double noise[] = {1e-13, 1e-13, 1e-13};
  assert_true(welch_test(&a, &rounded) == 1 && welch_test(&a, &near) == 0);
  assert_true(paired_test(noise, 3) == 1);
  assert_near(welch_test(&c, &a), 1, 1e-15);
  /* t = 2 with 4 degrees of freedom: 0.116116523516815 (closed form). */
  const double mean = 2 / sqrt(5), x[] = {mean - 1, mean - 1, mean, mean + 1, mean + 1};
  assert_near(paired_test(x, 5), 0.1161165235168156, 1e-12);
}

/* Rate at which means of 8 values and of @p n values with standard deviation @p spread are found to
 * differ, although the expectations are equal. */
static double rejections(int n, double spread)
{
  enum { TRIALS = 40000 };
  struct rng r = rng_new(1, 0);
  int rejected = 0;
  for (int i = 0; i < TRIALS; i++) {
    double x[8], y[8];
    for (int k = 0; k < 8; k++)
      x[k] = rng_normal(&r);
    for (int k = 0; k < n; k++)
      y[k] = spread * rng_normal(&r);
    const struct sample a = sample_of(x, 8), b = sample_of(y, (size_t)n);
    rejected += welch_test(&a, &b) < 0.05;
  }
  return (double)rejected / TRIALS;
}

/* Welch's degrees of freedom are an approximation, which is worst for few values of unequal
 * variance. */
static void welch_rejects_a_true_hypothesis_at_the_stated_rate(void **state)
{
  (void)state;
  assert_near(rejections(8, 1), 0.05, 0.004);
  assert_near(rejections(6, 3), 0.05, 0.01);
}

static void holm_steps_down(void **state)
{
  (void)state;
  struct {
    double p, other;
  } row[] = {{0.01, 0}, {0.04, 0}, {NAN, 0}, {0.03, 0}, {0.005, 0}};
  const double corrected[] = {0.03, 0.06, NAN, 0.06, 0.02};
  struct err e;
  assert_int_equal(holm_correct(&row->p, 5, sizeof *row, &e), OK);
  for (size_t i = 0; i < 5; i++)
    if (isnan(corrected[i]))
      assert_true(isnan(row[i].p) && row[i].other == 0);
    else
      assert_near(row[i].p + row[i].other, corrected[i], 1e-15);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(t_of_one_and_two_degrees_has_closed_forms),
      cmocka_unit_test(intervals_agree_with_printed_tables),
      cmocka_unit_test(samples_have_mean_and_deviation),
      cmocka_unit_test(tests_of_extreme_samples),
      cmocka_unit_test(welch_rejects_a_true_hypothesis_at_the_stated_rate),
      cmocka_unit_test(holm_steps_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "common/numeric/regression.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "common/numeric/rng.h"
#include "tests/unit/count.h"

enum { MOST = 64 };

static void expect(const char *what, double got, double want)
{
  if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= 1e-9 * (1 + fabs(want))))
    fail_msg("%s is %.15g, not %.15g", what, got, want);
}

static void rank_correlations_of_known_samples(void **state)
{
  (void)state;
  static const struct {
    size_t n;
    double x[8], y[8], spearman, kendall;
  } CASES[] = {
      {5, {1, 2, 3, 4, 5}, {10, 20, 40, 80, 1e9}, 1, 1},
      {5, {1, 2, 3, 4, 5}, {5, 4, 3, 2, 1}, -1, -1},
      {4, {1, 2, 3, 4}, {1, 3, 2, 4}, 0.8, 2.0 / 3},
      /* ties, computed by hand */
      {4, {1, 2, 2, 3}, {1, 2, 3, 4}, 0.9486832980505138, 0.9128709291752769},
      {6, {1, 1, 2, 2, 3, 3}, {1, 1, 2, 2, 3, 3}, 1, 1},
      {5, {12, 2, 1, 12, 2}, {1, 4, 7, 1, 0}, -0.5407380704358752, -0.4714045207910316},
      {3, {1, 1, 1}, {1, 2, 3}, NAN, NAN},
      {3, {1, 2, 3}, {7, 7, 7}, NAN, NAN},
      {1, {1}, {1}, NAN, NAN},
  };
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct err e;
    double s, k;
    assert_int_equal(rank_spearman(CASES[i].x, CASES[i].y, CASES[i].n, &s, &e), OK);
    assert_int_equal(rank_kendall(CASES[i].x, CASES[i].y, CASES[i].n, &k, &e), OK);
    expect("Spearman's", s, CASES[i].spearman);
    expect("Kendall's", k, CASES[i].kendall);
  }
}

/* Compares with the definition, pair by pair, with many ties. */
static void kendall_is_as_defined(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < 200; seed++) {
    struct rng rng = rng_new(seed, 0);
    const size_t n = 2 + rng_below(&rng, MOST - 2);
    double x[MOST], y[MOST], even = 0, in_x = 0, in_y = 0, got;
    struct err e;
    for (size_t i = 0; i < n; i++) {
      x[i] = (double)rng_below(&rng, 6);
      y[i] = (double)rng_below(&rng, 9);
    }
    for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < i; k++) {
        even += ((x[i] > x[k]) - (x[i] < x[k])) * ((y[i] > y[k]) - (y[i] < y[k]));
        in_x += x[i] != x[k];
        in_y += y[i] != y[k];
      }
    assert_int_equal(rank_kendall(x, y, n, &got, &e), OK);
    expect("tau", got, in_x * in_y > 0 ? even / sqrt(in_x * in_y) : NAN);
  }
}

/* Predicts each value by a new fit to all other values. */
static double left_out(const double *const *x, size_t k, const double *y, size_t n)
{
  double squares = 0;
  for (size_t out = 0; out < n; out++) {
    double rest_x[LEAST_SQUARES_MOST][MOST], rest_y[MOST];
    const double *const rest[] = {rest_x[0], rest_x[1]};
    struct least_squares f;
    struct err e;
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
      if (i != out) {
        for (size_t j = 0; j < k; j++)
          rest_x[j][m] = x[j][i];
        rest_y[m++] = y[i];
      }
    assert_int_equal(least_squares_fit(&f, rest, k, rest_y, m, &e), OK);
    const double error = y[out] - least_squares_at(&f, x, k, out);
    squares += error * error;
  }
  return sqrt(squares / (double)n);
}

/* The residuals are orthogonal to the predictors at any scale. */
static void fits_are_the_least_squares(void **state)
{
  (void)state;
  static const double SCALES[] = {1, 1e9, 1e-7};
  for (uint64_t seed = 0; seed < 60; seed++) {
    struct rng rng = rng_new(seed, 0);
    const size_t k = 1 + seed % 2, n = k + 3 + rng_below(&rng, 20);
    const double scale = SCALES[seed % COUNT(SCALES)];
    double x0[MOST], x1[MOST], y[MOST], rest = 0, all = 0, mean = 0;
    const double *const x[] = {x0, x1};
    struct least_squares f;
    struct err e;
    for (size_t i = 0; i < n; i++) {
      x0[i] = scale * (5 + rng_double(&rng));
      x1[i] = 3 * rng_double(&rng) + x0[i] / scale;
      y[i] = 2 + 7 * x0[i] / scale - (k > 1 ? x1[i] : 0) + 0.1 * rng_double(&rng);
      mean += y[i] / (double)n;
    }
    assert_int_equal(least_squares_fit(&f, x, k, y, n, &e), OK);
    double moment[3] = {0};
    for (size_t i = 0; i < n; i++) {
      const double error = y[i] - least_squares_at(&f, x, k, i);
      rest += error * error;
      all += (y[i] - mean) * (y[i] - mean);
      moment[0] += error;
      moment[1] += error * x0[i] / scale;
      moment[2] += k > 1 ? error * x1[i] : 0;
    }
    for (size_t j = 0; j < 3; j++)
      expect("a moment of the residuals", moment[j], 0);
    expect("R2", f.r2, 1 - rest / all);
    expect("the error of values left out", f.left, left_out(x, k, y, n));
  }
}

static void undetermined_values_are_nan(void **state)
{
  (void)state;
  static const double line[] = {1, 2, 3, 4, 5}, twice[] = {2, 4, 6, 8, 10},
                      flat[] = {3, 3, 3, 3, 3}, y[] = {1, 3, 2, 5, 4};
  static const struct {
    const double *x[2], *y;
    size_t k, n;
  } CASES[] = {
      {{flat}, y, 1, 5},        {{line}, flat, 1, 5},    {{line}, y, 1, 2},
      {{line, twice}, y, 2, 5}, {{line, flat}, y, 2, 5}, {{flat, line}, y, 2, 5},
  };
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct least_squares f;
    struct err e;
    assert_int_equal(least_squares_fit(&f, CASES[i].x, CASES[i].k, CASES[i].y, CASES[i].n, &e), OK);
    expect("at_zero", f.at_zero, NAN);
    expect("R2", f.r2, NAN);
    expect("left", f.left, NAN);
  }
  /* A single value determines the slope; without it there is no slope. */
  static const double alone[] = {0, 0, 0, 0, 1};
  const double *const x[] = {alone};
  struct least_squares f;
  struct err e;
  assert_int_equal(least_squares_fit(&f, x, 1, y, 5, &e), OK);
  expect("slope", f.slope[0], 4 - 11.0 / 4);
  expect("left", f.left, NAN);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rank_correlations_of_known_samples),
      cmocka_unit_test(kendall_is_as_defined),
      cmocka_unit_test(fits_are_the_least_squares),
      cmocka_unit_test(undetermined_values_are_nan),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

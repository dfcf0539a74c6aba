/* Detection of the start-up phase of a series, and the interval of its mean. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/numeric/rng.h"
#include "predict/settle.h"

enum { MOST = 400 };

/* Approximately normal with mean 0 and variance 1. */
static double noise(struct rng *r)
{
  double sum = -6;
  for (int i = 0; i < 12; i++)
    sum += rng_double(r);
  return sum;
}

static void a_constant_tail_starts_at_once(void **state)
{
  (void)state;
  static const struct {
    double x[10];
    size_t n, start;
    bool never;
  } CASES[] = {
      {{5, 5, 5, 5, 5, 5}, 6, 0, false},
      {{9, 5, 5, 5, 5, 5}, 6, 1, false},
      {{9, 7, 6, 5, 5, 5, 5, 5}, 8, 3, false},
      {{1, 1, 9, 9, 9, 9, 9, 9, 9, 9}, 10, 2, false},
      {{5.0000000001, 5, 5, 5, 5, 5}, 6, 0, false}, /* a difference from rounding */
      {{9, 5, 5}, 3, 0, false},                     /* too few values */
      {{9, 8, 7, 6, 5, 4, 3, 2}, 8, 4, true},
      {{0}, 0, 0, false},
      {{0, 0, 0, 0, 0}, 5, 0, false},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    const struct settled s = settle_find(CASES[i].x, CASES[i].n);
    assert_int_equal(s.start, CASES[i].start);
    assert_int_equal(s.never, CASES[i].never);
  }
}

static void a_noisy_start_up_is_found(void **state)
{
  (void)state;
  unsigned within = 0, cases = 0;
  for (uint64_t seed = 0; seed < 200; seed++) {
    struct rng r = rng_new(seed, 0);
    double x[60];
    const size_t m = rng_below(&r, 20);
    for (size_t i = 0; i < 60; i++)
      x[i] = (i < m ? 1.5 : 1) + 0.01 * noise(&r);
    const size_t start = settle_find(x, 60).start;
    assert_true(start >= m); /* no value of the start-up phase remains */
    within += start <= m + 1;
    cases++;
  }
  assert_true(within >= cases * 7 / 10);
}

/* 95 % of the intervals contain the mean, for independent values and for an AR(1) process.  If
 * autocorrelation were ignored, less than half of the intervals of the process would contain it. */
static void intervals_contain_the_mean(void **state)
{
  (void)state;
  static const struct {
    double keep;
    unsigned least;
  } CASES[] = {{0, 920}, {0.5, 890}, {0.8, 840}};
  for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
    unsigned held = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
      struct rng r = rng_new(seed, c);
      double x[MOST], last = noise(&r) / sqrt(1 - CASES[c].keep * CASES[c].keep);
      for (size_t i = 0; i < MOST; i++)
        x[i] = 10 + (last = CASES[c].keep * last + noise(&r));
      const struct settled s = settle_mean(x, MOST);
      held += fabs(s.mean - 10) <= settle_half_interval(s.error, s.degree);
    }
    assert_true(held >= CASES[c].least);
    assert_true(held <= 990);
  }
}

static void few_values_have_no_interval(void **state)
{
  (void)state;
  const double one = 3;
  assert_true(settle_mean(&one, 1).mean == 3);
  assert_true(settle_mean(&one, 1).error == 0);
  assert_true(isnan(settle_half_interval(0, 0)));
  assert_true(settle_half_interval(0, 3) == 0);
  assert_true(isnan(settle_half_interval(1, 0)));
  assert_true(fabs(settle_half_interval(1, 9) - 2.262157) < 1e-5);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_constant_tail_starts_at_once),
      cmocka_unit_test(a_noisy_start_up_is_found),
      cmocka_unit_test(intervals_contain_the_mean),
      cmocka_unit_test(few_values_have_no_interval),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

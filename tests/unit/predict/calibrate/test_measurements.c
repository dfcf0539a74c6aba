#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "predict/calibrate/measurements.h"
#include "tests/unit/scratch.h"

#define HEADER "test\tsize\tseconds\n"

static enum status load(struct measurements *m, const char *text, struct err *e)
{
  const struct scratch_file f = scratch_file(text, strlen(text));
  const enum status s = measurements_load(m, f.path, e);
  scratch_close(&f);
  return s;
}

static void samples_are_grouped_by_size(void **state)
{
  (void)state;
  struct measurements m = {0};
  struct measured *size;
  size_t count;
  struct err e;
  assert_int_equal(
      load(&m, "# by hand\n" HEADER "pingpong\t8\t3\ntriad\t8\t1\npingpong\t0\t7\n", &e), OK);
  assert_int_equal(
      load(&m, "seconds\thost\tsize\ttest\n1\ta\t8\tpingpong\n# end\n2\ta\t8\tpingpong\n", &e), OK);
  assert_int_equal(m.samples, 5);
  assert_int_equal(measurements_by_size(&m, &test_pingpong, 0.5, &size, &count, &e), OK);
  assert_int_equal(count, 2);
  assert_true(size[0].size == 0 && size[0].samples == 1 && size[0].seconds == 7);
  assert_true(size[0].low == 7 && size[0].high == 7);
  assert_true(size[1].size == 8 && size[1].samples == 3 && size[1].seconds == 2);
  assert_true(size[1].lower_quartile == 1.5 && size[1].upper_quartile == 2.5);
  free(size);
  assert_int_equal(measurements_by_size(&m, &test_pingpong, 0, &size, &count, &e), OK);
  assert_true(size[1].seconds == 1);
  free(size);
  assert_int_equal(measurements_by_size(&m, &test_arithmetic, 0.5, &size, &count, &e), OK);
  assert_int_equal(count, 0);
  free(size);
  measurements_clear(&m);
  assert_int_equal(measurements_by_size(&m, &test_pingpong, 0.5, &size, &count, &e), OK);
  assert_int_equal(count, 0);
  free(size);
}

static void quantiles_lie_between_numbers(void **state)
{
  (void)state;
  static const double X[] = {1, 2, 4, 8, 16};
  static const struct {
    size_t n;
    double q, want;
  } ROWS[] = {{1, 0, 1},   {1, 1, 1},       {5, 0, 1},  {5, 0.25, 2},
              {5, 0.5, 4}, {5, 0.95, 14.4}, {5, 1, 16}, {4, 0.5, 3}};
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    const double got = measurements_quantile(X, ROWS[i].n, ROWS[i].q);
    if (got < ROWS[i].want - 1e-12 || got > ROWS[i].want + 1e-12)
      fail_msg("quantile %g of %zu: %g", ROWS[i].q, ROWS[i].n, got);
  }
}

/* The median of n normal samples has the variance pi / 2 / n of one sample. */
static void the_error_of_a_median_falls_with_the_samples(void **state)
{
  (void)state;
  const struct measured four = {.samples = 4, .seconds = 2, .upper_quartile = 1.349};
  const struct measured many = {.samples = 400, .seconds = 2, .upper_quartile = 1.349};
  assert_float_equal(measurements_error(&four), sqrt(acos(-1) / 2 / 4) / 2, 1e-5);
  assert_float_equal(measurements_error(&many), measurements_error(&four) / 10, 1e-15);
}

static void bad_files_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *text, *want;
  } ROWS[] = {
      {"", ": no header row"},
      {"# nothing\n", ": no header row"},
      {"test\tsize\n", ": no column 'seconds' in the header"},
      {"pingpong\t1\t1\n", ": no column 'test' in the header"},
      {HEADER "pingpong\t1\n", ":2: 2 fields instead of 3"},
      {HEADER "pingpong\t1\t1\t1\n", ":2: 4 fields instead of 3"},
      {HEADER "pong\t1\t1\n", ":2: unknown test 'pong'; expected pingpong, "},
      {HEADER "pingpong\t-1\t1\n", ":2: size: '-1' is not"},
      {HEADER "pingpong\t2147483632\t1\n", ":2: size: 2147483632 is above"},
      {HEADER "pingpong\t1.5\t1\n", ":2: size: '1.5' is not"},
      {HEADER "triad\t0\t1\n", ":2: size: 0 is no number of flops"},
      {HEADER "triad\t1\t0\n", ":2: seconds: 0 is"},
      {HEADER "triad\t1\t-1\n", ":2: seconds: -1 is"},
      {HEADER "triad\t1\tnan\n", ":2: seconds: 'nan' is not"},
      {HEADER "triad\t1\t1e10\n", ":2: seconds: 1e10 is"},
      {HEADER "triad\t1\t\n", ":2: seconds: '' is not"},
  };
  struct measurements m = {0};
  struct err e;
  assert_int_equal(load(&m, HEADER "triad\t1\t1\n", &e), OK);
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    assert_int_equal(load(&m, ROWS[i].text, &e), FAIL);
    if (strstr(e.text, ROWS[i].want) == NULL)
      fail_msg("row %zu: '%s', not '%s'", i, e.text, ROWS[i].want);
    assert_int_equal(m.samples, 1); /* nothing remains of a refused file */
  }
  measurements_clear(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(samples_are_grouped_by_size),
      cmocka_unit_test(quantiles_lie_between_numbers),
      cmocka_unit_test(the_error_of_a_median_falls_with_the_samples),
      cmocka_unit_test(bad_files_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

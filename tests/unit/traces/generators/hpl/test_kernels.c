#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/scratch.h"
#include "traces/generators/hpl/kernels.h"

#define HEAD "kernel\thost\tcpu\tmnk\tmn\tmk\tnk\tintercept"

static enum status load(struct kernels **k, const char *text, struct err *e)
{
  struct scratch_file f = scratch_file(text, strlen(text));
  const enum status s = kernels_load(k, f.path, e);
  scratch_close(&f);
  return s;
}

static void rows_with_numbers_replace_rows_with_stars(void **state)
{
  (void)state;
  struct kernels *k;
  struct err e;
  const struct kernel_size s = {2, 3, 5};
  assert_int_equal(load(&k,
                        HEAD "\tsd_mnk\n"
                             "dgemm\t1\t1\t0\t0\t0\t0\t0.4\t0\n"
                             "dgemm\t1\t*\t0\t0\t0\t0\t0.3\t0\n"
                             "dgemm\t*\t*\t1e-3\t1e-2\t0.1\t1\t0.5\t1e-3\n",
                        &e),
                   OK);
  assert_int_equal(kernels_hosts(k), 2);
  const double first = 30e-3 + 6e-2 + 1 + 15 + 0.5;
  assert_true(fabs(kernel_time(kernels_of(k, 0, 1), &s, 0) - first) < 1e-12);
  assert_true(fabs(kernel_time(kernels_of(k, 0, 0), &s, 2) - (first + 2 * 30e-3)) < 1e-12);
  assert_true(kernel_time(kernels_of(k, 1, 0), &s, 0) == 0.3);
  assert_true(kernel_time(kernels_of(k, 1, 3), &s, 0) == 0.4); /* cores in turn */
  assert_true(kernel_time(kernels_of(k, 0, 0), &s, -1e9) == 0);
  assert_true(kernel_time(&kernels_of(k, 1, 0)[KERNEL_DSCAL], &s, 0) == 0);
  kernels_free(k);
}

static void bad_tables_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *text, *want;
  } rows[] = {
      {"", "no header"},
      {"kernel\thost\tcpu\tmnk\tmn\tmk\tnk\n", "intercept"},
      {HEAD "\nfoo\t*\t*\t0\t0\t0\t0\t0\n", ":2: 'foo' is no kernel of HPL"},
      {HEAD "\ndgemm\t-1\t*\t0\t0\t0\t0\t0\n", ":2: host: '-1'"},
      {HEAD "\ndgemm\t*\t64\t0\t0\t0\t0\t0\n", ":2: cpu: 64 is above"},
      {HEAD "\ndgemm\t*\t*\tx\t0\t0\t0\t0\n", ":2: mnk: 'x'"},
      {HEAD "\ndgemm\t*\t*\t0\t0\t0\t0\t1.5\n", ":2: intercept: 1.5"},
      {HEAD "\ndscal\t*\t*\t0\t0\t0\t0\t0\n", "no row has the kernel dgemm"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct kernels *k;
    struct err e = {""};
    assert_int_equal(load(&k, rows[i].text, &e), FAIL);
    if (strstr(e.text, rows[i].want) == NULL)
      fail_msg("'%s', not '%s'", e.text, rows[i].want);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_with_numbers_replace_rows_with_stars),
      cmocka_unit_test(bad_tables_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

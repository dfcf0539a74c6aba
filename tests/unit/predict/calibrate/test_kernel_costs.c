#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/mem.h"
#include "common/numeric/rng.h"
#include "predict/calibrate/kernel_costs.h"
#include "tests/unit/scratch.h"

#define HEAD "kernel\thost\tcpu\tm\tn\tk\tseconds\n"

static enum status load(struct kernel_samples *s, const char *text, struct err *e)
{
  struct scratch_file f = scratch_file(text, strlen(text));
  const enum status status = kernel_samples_load(s, f.path, e);
  scratch_close(&f);
  return status;
}

static void add(struct kernel_samples *s, const struct kernel_sample *x)
{
  struct err e;
  assert_int_equal(MEM_GROW(s->sample, s->room, s->count + 1, &e), OK);
  s->sample[s->count++] = *x;
}

static double draw_size(struct rng *r, double most)
{
  return floor(exp(rng_double(r) * log(most)));
}

/* Calls of dgemm on two hosts by @p cost, the second one 1.1 times slower. */
static struct kernel_samples dgemms(const struct kernel_cost *cost, bool noise)
{
  struct kernel_samples s = {0};
  struct rng r = rng_new(7, 0);
  for (uint32_t i = 0; i < 4000; i++) {
    struct kernel_sample x = {.kernel = KERNEL_DGEMM, .host = i % 2, .cpu = 0};
    x.size = (struct kernel_size){draw_size(&r, 4000), draw_size(&r, 4000), draw_size(&r, 256)};
    x.seconds = kernel_time(cost, &x.size, noise ? rng_half_normal(&r) : 0);
    x.seconds *= x.host == 1 ? 1.1 : 1;
    add(&s, &x);
  }
  return s;
}

static const struct kernel_cost COST = {{7e-11, 2e-10, 2e-9, 3e-9, 2e-6}, {3e-12, 0, 0, 0, 1e-7}};

/* Without noise the coefficients come back. */
static void costs_are_recovered_from_exact_times(void **state)
{
  (void)state;
  struct kernel_samples s = dgemms(&COST, false);
  struct kernel_rows rows = {0};
  struct err e;
  assert_int_equal(kernel_rows_fit(&rows, &s, &e), OK);
  assert_int_equal(rows.count, 3);
  for (size_t i = 1; i < 3; i++) {
    const struct kernel_row *x = &rows.row[i];
    assert_true(x->host == (int64_t)i - 1 && x->cpu == 0 && x->samples == 2000);
    assert_true(x->error < 1e-9);
    for (int k = 0; k < KERNEL_TERMS; k++) {
      const double want = COST.mean[k] * (i == 2 ? 1.1 : 1);
      if (fabs(x->cost.mean[k] / want - 1) > 1e-6)
        fail_msg("host %zu, term %d: %g, not %g", i - 1, k, x->cost.mean[k], want);
    }
  }
  assert_true(rows.row[0].host == -1 && rows.row[0].cpu == -1 && rows.row[0].samples == 4000);
  assert_true(rows.row[0].error > 0.04 && rows.row[0].error < 0.06);
  kernel_rows_clear(&rows);
  kernel_samples_clear(&s);
}

/* With 4 % of noise: the time of a call within 0.5 %, its standard deviation within 10 %. */
static void noise_is_measured(void **state)
{
  (void)state;
  struct kernel_samples s = dgemms(&COST, true);
  struct kernel_rows rows = {0};
  struct err e;
  static const struct kernel_size call[] = {{4000, 4000, 128}, {2000, 128, 128}, {300, 300, 128}};
  assert_int_equal(kernel_rows_fit(&rows, &s, &e), OK);
  for (size_t i = 0; i < sizeof call / sizeof *call; i++) {
    const struct kernel_cost *fit = &rows.row[1].cost;
    const double t = kernel_time(&COST, &call[i], 0), got = kernel_time(fit, &call[i], 0);
    const double sd = kernel_time(&COST, &call[i], 1) - t;
    const double got_sd = kernel_time(fit, &call[i], 1) - got;
    if (fabs(got / t - 1) > 0.005 || fabs(got_sd / sd - 1) > 0.1)
      fail_msg("call %zu: %g +- %g, not %g +- %g", i, got, got_sd, t, sd);
  }
  kernel_rows_clear(&rows);
  kernel_samples_clear(&s);
}

/* Some terms of the cost are collinear: of the four terms two remain for vectors, and for
 * triangular matrices k equals m. */
static void collinear_terms_are_left_out(void **state)
{
  (void)state;
  struct kernel_samples s = dgemms(&COST, false);
  struct kernel_rows rows = {0};
  struct err e;
  for (double m = 1; m <= 1 << 20; m *= 2) {
    add(&s, &(struct kernel_sample){KERNEL_DSCAL, 0, 0, {m, 1, 1}, 1e-9 * m + 1e-7});
    const double n = fmin(m, 512);
    add(&s, &(struct kernel_sample){KERNEL_DTRSM, 0, 0, {n, m, n}, 5e-11 * n * n * m + 1e-6});
  }
  assert_int_equal(kernel_rows_fit(&rows, &s, &e), OK);
  for (size_t i = 3; i < rows.count; i++) {
    const bool vector = rows.row[i].kernel == KERNEL_DSCAL;
    const struct kernel_size at =
        vector ? (struct kernel_size){3000, 1, 1} : (struct kernel_size){128, 5000, 128};
    const double want = vector ? 3.1e-6 : 5e-11 * 128 * 128 * 5000 + 1e-6;
    assert_true(fabs(kernel_time(&rows.row[i].cost, &at, 0) / want - 1) < 1e-6);
  }
  assert_int_equal(rows.count, 7);
  kernel_rows_clear(&rows);
  kernel_samples_clear(&s);
}

/* The printed table is the one that hpl: reads. */
static void printed_tables_are_read_back(void **state)
{
  (void)state;
  struct kernel_samples s = dgemms(&COST, true);
  struct kernel_rows rows = {0};
  struct kernels *k;
  struct err e;
  char *text = NULL;
  size_t size;
  assert_int_equal(kernel_rows_fit(&rows, &s, &e), OK);
  FILE *f = open_memstream(&text, &size);
  kernel_rows_print(&rows, f);
  assert_int_equal(fclose(f), 0);
  struct scratch_file file = scratch_file(text, size);
  assert_int_equal(kernels_load(&k, file.path, &e), OK);
  scratch_close(&file);
  assert_int_equal(kernels_hosts(k), 2);
  const struct kernel_size at = {1000, 900, 128};
  for (uint32_t h = 0; h < 2; h++)
    for (int deviate = 0; deviate < 2; deviate++)
      assert_float_equal(kernel_time(&kernels_of(k, h, 0)[KERNEL_DGEMM], &at, deviate),
                         kernel_time(&rows.row[1 + h].cost, &at, deviate), 1e-12);
  kernels_free(k);
  free(text);
  kernel_rows_clear(&rows);
  kernel_samples_clear(&s);
}

static void bad_samples_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *text, *why;
  } table[] = {
      {"kernel\thost\tcpu\tm\tn\tk\n", "seconds"},
      {HEAD "dgem\t0\t0\t1\t1\t1\t1\n", ":2: 'dgem' is no kernel of HPL"},
      {HEAD "dgemm\t*\t0\t1\t1\t1\t1\n", ":2: host: "},
      {HEAD "dgemm\t0\t64\t1\t1\t1\t1\n", ":2: cpu: "},
      {HEAD "dgemm\t0\t0\t1\t0\t1\t1\n", ":2: a size of 0"},
      {HEAD "dgemm\t0\t0\t1\t1\t2147483648\t1\n", ":2: k: "},
      {HEAD "dgemm\t0\t0\t1\t1\t1\t0\n", ":2: seconds: "},
      {HEAD "dgemm\t0\t0\t1\t1\t1\tnan\n", ":2: seconds: "},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    struct kernel_samples s = {0};
    struct err e = {.text = ""};
    assert_int_equal(load(&s, table[i].text, &e), FAIL);
    if (strstr(e.text, table[i].why) == NULL)
      fail_msg("row %zu: '%s' lacks '%s'", i, e.text, table[i].why);
    assert_int_equal(s.count, 0);
    kernel_samples_clear(&s);
  }
}

static void too_few_samples_are_refused(void **state)
{
  (void)state;
  struct kernel_samples s = {0};
  struct kernel_rows rows = {0};
  struct err e;
  assert_int_equal(kernel_rows_fit(&rows, &s, &e), FAIL);
  assert_string_equal(e.text, "no sample of kernel dgemm");
  assert_int_equal(load(&s, HEAD "dgemm\t0\t0\t9\t9\t9\t1e-6\n", &e), OK);
  assert_int_equal(kernel_rows_fit(&rows, &s, &e), FAIL);
  assert_string_equal(e.text, "kernel dgemm: 1 samples are too few for a fit, which needs 10");
  assert_null(rows.row);
  kernel_samples_clear(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(costs_are_recovered_from_exact_times),
      cmocka_unit_test(noise_is_measured),
      cmocka_unit_test(collinear_terms_are_left_out),
      cmocka_unit_test(printed_tables_are_read_back),
      cmocka_unit_test(bad_samples_are_refused),
      cmocka_unit_test(too_few_samples_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

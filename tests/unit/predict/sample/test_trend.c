#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "predict/sample/trend.h"

enum { ITERATIONS = 1000, GROUPS = 5, LENGTH = 30 };

/* The time of iteration k. */
static double time_of(double k)
{
  const double x = 1 - k / ITERATIONS;
  return 1 + x * x * (3 - x);
}

/* Marks of groups that are spread over the run; returns the time of the simulated iterations. */
static double make_marks(struct sample_mark *mark, size_t *count)
{
  double now = 0;
  *count = 0;
  for (int g = 0; g < GROUPS; g++) {
    const int first = 1 + g * (ITERATIONS - LENGTH) / (GROUPS - 1);
    for (int i = first; i < first + LENGTH; i++) {
      mark[(*count)++] = (struct sample_mark){.iteration = (uint64_t)i, .last_s = now};
      now += time_of(i);
    }
    const int next = 1 + (g + 1) * (ITERATIONS - LENGTH) / (GROUPS - 1);
    const bool last = g + 1 == GROUPS;
    mark[(*count)++] = (struct sample_mark){
        .iteration = (uint64_t)(first + LENGTH), .to = last ? 0 : (uint64_t)next, .last_s = now};
  }
  return now;
}

static void cubics_are_summed_exactly(void **state)
{
  (void)state;
  struct sample_mark mark[GROUPS * (LENGTH + 1)];
  const struct sample_plan plan = {
      .iterations = ITERATIONS, .period = 1, .groups = GROUPS, .trend = true};
  struct err e;
  size_t count;
  double want = 0;
  const double simulated = make_marks(mark, &count);
  struct forecast f = {.time_s = simulated, .iterations = ITERATIONS, .simulated = GROUPS * LENGTH};
  for (int k = 1; k <= ITERATIONS; k++)
    want += time_of(k);
  assert_int_equal(trend_forecast(&plan, mark, count, &f, &e), OK);
  if (fabs(f.time_s / want - 1) > 2e-4)
    fail_msg("%g, not %g", f.time_s, want);
  assert_true(f.half_s > fabs(f.time_s - want) && f.half_s < 0.05 * want);
}

static void one_group_is_refused(void **state)
{
  (void)state;
  const struct sample_mark mark[] = {{.iteration = 1}, {.iteration = 2, .to = 9, .last_s = 1}};
  const struct sample_plan plan = {.iterations = 10, .period = 1, .groups = 8, .trend = true};
  struct forecast f = {.iterations = 10, .simulated = 1};
  struct err e;
  assert_int_equal(trend_forecast(&plan, mark, 2, &f, &e), FAIL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cubics_are_summed_exactly),
      cmocka_unit_test(one_group_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Points that a run passes, and points where a watch stops it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sim/replay/watch.h"
#include "tests/unit/sim/fake.h"

enum { STEPS = 256 };

/* Two ranks compute equally often; each computation of the second rank takes twice as long. */
static void run(struct fake *f, struct watch *w)
{
  const struct replay_options o = {.compute_scale = 1, .watch = w};
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  assert_non_null(to);
  for (int i = 0; i < STEPS; i++)
    fprintf(to, "0 compute 1\n1 compute 2\n");
  fclose(to);
  *f = (struct fake){.slow = 0};
  fake_run(f, text, &o);
  free(text);
}

enum { ROW = WATCH_POINTS - 1 };

/* Points after 1, 2, 4, ... steps of both ranks; a run has points 0 to LAST and the end. */
static uint64_t powers[2 * ROW];
enum { LAST = 7 };

static int make_powers(void **state)
{
  (void)state;
  for (uint32_t k = 0; k < ROW; k++)
    powers[k] = powers[ROW + k] = k <= LAST ? UINT64_C(1) << k : UINT64_MAX;
  return 0;
}

static void a_run_passes_all_points(void **state)
{
  (void)state;
  struct fake f;
  struct watch w = watch_all(powers);
  run(&f, &w);
  assert_int_equal(f.status, OK);
  assert_int_equal(w.passed, WATCH_POINTS);
  assert_int_equal(w.begun, 2 * STEPS);
  for (uint32_t k = 0; k < WATCH_POINTS; k++) /* the 2^k-th step of the second rank has ended */
    if (w.passed_s[k] != (k <= LAST ? ldexp(2, (int)k) : 2 * STEPS))
      fail_msg("point %u at %g s", k, w.passed_s[k]);
}

static void a_watch_stops_at_a_point_or_a_date(void **state)
{
  (void)state;
  enum { END = WATCH_POINTS - 1 };
  static const struct {
    uint32_t stop, limited;
    double limit_s;
    uint32_t passed;
  } CASES[] = {{3, 0, INFINITY, 4},
               {0, 0, INFINITY, 1},
               {END, 5, 63.5, 5},
               {END, 5, 64, END + 1},
               {END, 0, 0, 0},
               {4, 2, 7, 2},
               {END, LAST + 1, 511.5, LAST + 1},
               {LAST, LAST + 1, 1, LAST + 1}};
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct fake f;
    struct watch w = watch_all(powers);
    w.stop = CASES[i].stop;
    w.limit_s[CASES[i].limited] = CASES[i].limit_s;
    run(&f, &w);
    assert_int_equal(f.status, OK);
    assert_false(f.hung);
    if (w.passed != CASES[i].passed)
      fail_msg("case %zu: %u points passed instead of %u", i, w.passed, CASES[i].passed);
    assert_int_equal(f.stopped, w.passed < WATCH_POINTS);
    for (uint32_t k = 0; k < WATCH_POINTS; k++)
      assert_int_equal(isinf(w.passed_s[k]) != 0, k >= w.passed);
  }
}

/* With a wrong number of operations, the last point is still the end of the run. */
static void the_number_of_operations_may_be_wrong(void **state)
{
  (void)state;
  static const uint64_t GUESS[][2] = {{0, 0}, {1, 1}, {1000, 1000}, {3, 700}};
  for (size_t i = 0; i < COUNT(GUESS); i++) {
    struct fake f;
    uint64_t due[2 * ROW];
    struct watch w = watch_all(due);
    for (uint32_t k = 0; k < 2 * ROW; k++)
      due[k] = GUESS[i][k / ROW] * (k % ROW + 1) / ROW;
    run(&f, &w);
    assert_int_equal(f.status, OK);
    assert_int_equal(w.passed, WATCH_POINTS);
    assert_true(w.passed_s[WATCH_POINTS - 1] == 2 * STEPS);
    for (uint32_t k = 1; k < WATCH_POINTS; k++)
      assert_true(w.passed_s[k - 1] <= w.passed_s[k]);
  }
}

/* Points 0 to 6 after 10, 20, ... steps of each rank, except where the first rank is the last. */
static void points_may_differ_by_rank(void **state)
{
  (void)state;
  uint64_t due[2][ROW];
  struct fake f;
  struct watch w = watch_all(due[0]);
  for (uint32_t k = 0; k < ROW; k++)
    due[0][k] = due[1][k] = k < LAST ? 10 * (k + 1) : UINT64_MAX;
  for (uint32_t k = 3; k < LAST; k++)
    due[0][k] = 100;
  run(&f, &w);
  assert_int_equal(f.status, OK);
  assert_int_equal(w.passed, WATCH_POINTS);
  static const double WANT[] = {20, 40, 60, 100, 100, 120, 140};
  for (uint32_t k = 0; k < WATCH_POINTS; k++)
    if (w.passed_s[k] != (k < LAST ? WANT[k] : 2 * STEPS))
      fail_msg("point %u at %g s", k, w.passed_s[k]);
}

/* Limits the time from the last passed point to the next one. */
static void limit_next(struct watch *w, const void *arg)
{
  if (w->passed < WATCH_POINTS)
    w->limit_s[w->passed] = w->passed_s[w->passed - 1] + *(const double *)arg;
}

static void limits_may_follow_dates(void **state)
{
  (void)state;
  static const double ROOM[] = {30, 64, 256};
  static const uint32_t PASSED[] = {5, 7, WATCH_POINTS};
  for (size_t i = 0; i < COUNT(ROOM); i++) {
    struct fake f;
    struct watch w = watch_all(powers);
    w.follow = limit_next;
    w.arg = &ROOM[i];
    run(&f, &w);
    if (w.passed != PASSED[i])
      fail_msg("%g s: %u points passed instead of %u", ROOM[i], w.passed, PASSED[i]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_passes_all_points),
      cmocka_unit_test(a_watch_stops_at_a_point_or_a_date),
      cmocka_unit_test(the_number_of_operations_may_be_wrong),
      cmocka_unit_test(points_may_differ_by_rank),
      cmocka_unit_test(limits_may_follow_dates),
  };
  return cmocka_run_group_tests(tests, make_powers, NULL);
}

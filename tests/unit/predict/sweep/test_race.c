/* Predictions from the times of points of a run, and time limits at points. */
#include "predict/sweep/race.h"
#include "tests/unit/count.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* Set-up until 8 s, then periods of 2 s, 100 s in total. */
static const struct race_leader LEADER = {{2, 4, 6, 8, 10, 12, 16, INFINITY, INFINITY}, 100};

static struct race race_with(bool alike, double best_s)
{
  return (struct race){
      .leader = &LEADER, .alike = alike, .best_s = best_s, .room = 1, .last = RACE_LAST};
}

static bool is_near(double a, double b)
{
  return fabs(a - b) < 1e-6 * fabs(b);
}

static void points_are_quarters_and_periods(void **state)
{
  (void)state;
  static const struct {
    struct operations o;
    double periods;
    uint64_t sample, due[RACE_LAST + 1]; /* later points are never due */
  } CASES[] = {
      {{8, 100, 3}, 10, 4, {2, 4, 6, 8, 18, 28, 48}},
      {{8, 100, 3}, 10, 3, {2, 4, 6, 8, 18, 28, UINT64_MAX}},
      {{0, 10, 0}, 4, 1, {0, 0, 0, 0, 3, UINT64_MAX, UINT64_MAX}},
      {{5, 20, 0}, 2, 2, {2, 3, 4, 5, 15, 25, UINT64_MAX}},
  };
  for (size_t i = 0; i < COUNT(CASES); i++) {
    uint64_t due[WATCH_POINTS - 1];
    race_due(&CASES[i].o, CASES[i].periods, CASES[i].sample, due);
    for (uint32_t k = 0; k + 1 < WATCH_POINTS; k++)
      if (due[k] != (k <= RACE_LAST ? CASES[i].due[k] : UINT64_MAX))
        fail_msg("case %zu: point %u after %ju operations", i, k, (uintmax_t)due[k]);
  }
}

/* A slow set-up of 16 s and periods of 1 s predict 16 + 46 s, not twice the time of the leader. */
static void the_set_up_is_predicted_separately(void **state)
{
  (void)state;
  const struct race r = race_with(true, 100);
  assert_true(is_near(race_predict(&r, RACE_SETUP, NAN, 16), 200));
  assert_true(is_near(race_predict(&r, RACE_SETUP + 1, 16, 17), 62));
  assert_true(is_near(race_predict(&r, RACE_LAST, 16, 20), 62));
  assert_true(is_near(race_predict(&r, 0, NAN, 1), 50));
}

static void a_limit_is_where_the_prediction_is_at_the_margin(void **state)
{
  (void)state;
  static const double BEST[] = {100, 70, 130}, ROOM[] = {1, 0.5, 0};
  for (size_t i = 0; i < COUNT(BEST) * COUNT(ROOM); i++)
    for (uint32_t k = 0; k <= RACE_LAST; k++) {
      struct race r = race_with(true, BEST[i / COUNT(ROOM)]);
      r.room = ROOM[i % COUNT(ROOM)];
      const double limit = race_limit(&r, k, 9);
      const double time = race_predict(&r, k, 9, limit);
      if (!is_near(time, r.best_s * (1 + race_margin(&r, k))))
        fail_msg("case %zu: at point %u the limit of %g s predicts %g s", i, k, limit, time);
      assert_int_equal(race_margin(&r, k) > 0, r.room > 0);
    }
}

/* A run as fast as the leader is never late. */
static void ties_are_within_the_limit(void **state)
{
  (void)state;
  struct race r = race_with(true, LEADER.time_s);
  r.room = 0;
  for (uint32_t k = 0; k <= RACE_LAST; k++)
    assert_true(race_limit(&r, k, LEADER.passed_s[RACE_SETUP]) >= LEADER.passed_s[k]);
}

static void points_without_a_prediction(void **state)
{
  (void)state;
  static const struct race_leader AT_ONCE = {{0, 0, 0, 0, 2, 4, 8, INFINITY, INFINITY}, 20};
  static const struct {
    const struct race_leader *leader;
    bool alike;
    uint32_t first, last, point;
    bool tells;
  } CASES[] = {
      {NULL, true, 0, RACE_LAST, 4, false},     {&LEADER, true, 0, RACE_LAST, 0, true},
      {&LEADER, true, 4, RACE_LAST, 3, false},  {&LEADER, true, 0, 4, 5, false},
      {&LEADER, false, 0, RACE_LAST, 2, false}, /* the leader is another program */
      {&LEADER, false, 0, RACE_LAST, 3, true},  {&AT_ONCE, true, 0, RACE_LAST, 3, false},
      {&AT_ONCE, true, 0, RACE_LAST, 4, true},
  };
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct race r = race_with(CASES[i].alike, 50);
    r.leader = CASES[i].leader;
    r.first = CASES[i].first;
    r.last = CASES[i].last;
    if (isinf(race_limit(&r, CASES[i].point, 1)) == CASES[i].tells ||
        isnan(race_predict(&r, CASES[i].point, 1, 2)) == CASES[i].tells)
      fail_msg("case %zu: a prediction is %s", i, CASES[i].tells ? "missing" : "made");
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_are_quarters_and_periods),
      cmocka_unit_test(the_set_up_is_predicted_separately),
      cmocka_unit_test(a_limit_is_where_the_prediction_is_at_the_margin),
      cmocka_unit_test(ties_are_within_the_limit),
      cmocka_unit_test(points_without_a_prediction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

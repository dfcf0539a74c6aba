/* A sampler and its estimates, for a program with iterations of given durations. */
#include "predict/sample/forecast.h"
#include "predict/sample/sampler.h"
#include "tests/unit/count.h"
#include "traces/action.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { RANKS = 3, HEAD_S = 5, TAIL_S = 7 };

/* Duration of an iteration of the complete run, in seconds. */
typedef double length_fn(uint64_t iteration);

static double equal(uint64_t i)
{
  (void)i;
  return 2;
}

/* The first three iterations take longer. */
static double unsettled(uint64_t i)
{
  return i <= 3 ? 10.0 - (double)i : 2;
}

static double in_pairs(uint64_t i)
{
  return i % 2 == 0 ? 3 : 1;
}

/* Oscillates with a period shorter than a sample. */
static double swinging(uint64_t i)
{
  return 2 + 0.1 * sin(2.4 * (double)i);
}

static double last_longer(uint64_t i)
{
  return i == 100 ? 50 : 2;
}

/* All ranks start an iteration at nearly the same time, 0.001 s apart.  Returns the end time
 * without skipped time. */
static double drive(const struct sampler *s, uint64_t iterations, length_fn *length,
                    uint64_t *simulated)
{
  const struct replay_loop *w = sampler_loop(s);
  double now = HEAD_S;
  *simulated = 0;
  for (uint64_t i = 1; i <= iterations + 1;) {
    struct replay_jump j = {.jump = false};
    for (uint32_t r = 0; r < RANKS; r++) {
      const uint64_t mark = i > iterations ? (uint64_t)ACTION_MARK_END : i;
      const struct replay_jump here = w->passed(w->state, r, mark, now + 0.001 * r);
      assert_true(r == 0 || (here.jump == j.jump && here.to == j.to && here.sleep_s == j.sleep_s));
      j = here;
    }
    now += j.sleep_s;
    *simulated += !j.jump && i <= iterations;
    now += j.jump || i > iterations ? 0 : length(i);
    if (!j.jump)
      i++;
    else
      i = j.to == (uint64_t)ACTION_MARK_END ? iterations + 1 : j.to;
  }
  return now + TAIL_S - sampler_slept(s);
}

static const struct {
  struct sample_plan plan;
  length_fn *length;
  uint64_t simulated, settled_from;
  double error; /* largest difference from the actual time, in seconds */
} CASES[] = {
    {{RANKS, 100, 1, false, 10, 1, 1e-9, false}, equal, 6, 1, 1e-9}, /* 5 done by all ranks */
    {{RANKS, 100, 1, false, 10, 5, 1e-9, false}, equal, 10, 1, 1e-9},
    {{RANKS, 100, 1, false, 4, 1, 1e-9, false}, equal, 4, 1, 1e-9},
    {{RANKS, 100, 1, false, 10, 1, 1e-9, false}, unsettled, 10, 4, 1e-9},
    {{RANKS, 100, 2, false, 20, 1, 1e-9, false}, in_pairs, 12, 1, 1e-9},
    {{RANKS, 100, 2, false, 10, 1, 1e-9, false}, in_pairs, 10, 1, 1e-9},
    {{RANKS, 101, 2, false, 11, 1, 1e-9, false}, in_pairs, 11, 1, 1e-9},
    {{RANKS, 101, 2, false, 10, 1, 1e-9, false}, in_pairs, 11, 1, 1e-9},
    {{RANKS, 100, 1, true, 10, 1, 1e-9, false}, last_longer, 7, 1, 1e-9},
    {{RANKS, 100, 1, false, 20, 1, 1e-9, false}, swinging, 20, 0, 2},
    {{RANKS, 100, 1, false, 20, 4, 1e-9, false}, swinging, 20, 0, 2},
    {{RANKS, 8, 1, false, 10, 1, 1e-9, false}, swinging, 8, 1, 1e-9},
    {{RANKS, 10, 1, false, 10, 3, 1e-9, false}, swinging, 10, 1, 1e-9},
};

static void the_time_of_the_whole_run_is_predicted(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(CASES); i++) {
    const struct sample_plan *p = &CASES[i].plan;
    struct sampler *s;
    struct forecast x;
    struct err e;
    uint64_t simulated;
    size_t count;
    double whole = HEAD_S + TAIL_S;
    for (uint64_t k = 1; k <= p->iterations; k++)
      whole += CASES[i].length(k);
    assert_int_equal(sampler_new(&s, p, &e), OK);
    const double end = drive(s, p->iterations, CASES[i].length, &simulated);
    const struct sample_mark *m = sampler_marks(s, &count);
    assert_int_equal(forecast_run(p, m, count, end, &x, &e), OK);
    if (fabs(x.time_s - whole) > CASES[i].error || simulated != CASES[i].simulated ||
        x.simulated != simulated || fabs(x.time_s - whole) > x.half_s + 1e-9 ||
        (CASES[i].settled_from > 0 && x.settled_from != CASES[i].settled_from))
      fail_msg("case %zu: %g +- %g s, not %g; %d iterations, not %d; settled from %d", i, x.time_s,
               x.half_s, whole, (int)simulated, (int)CASES[i].simulated, (int)x.settled_from);
    assert_int_equal(x.iterations, p->iterations);
    sampler_free(s);
  }
}

/* At each jump the simulated ranks sleep for the predicted time of the skipped iterations. */
static void groups_are_spread_over_the_run(void **state)
{
  (void)state;
  const struct sample_plan p = {RANKS, 1000, 1, false, 10, 5, 1e-9, false};
  struct sampler *s;
  struct err e;
  uint64_t simulated;
  size_t count, jumps = 0;
  assert_int_equal(sampler_new(&s, &p, &e), OK);
  drive(s, p.iterations, equal, &simulated);
  const struct sample_mark *m = sampler_marks(s, &count);
  for (size_t i = 0; i < count; i++)
    if (m[i].to != 0) {
      jumps++;
      assert_int_equal(m[i].to - m[i].iteration, 198);
      assert_true(fabs(m[i].sleep_s - 2 * 198) < 1e-6);
    }
  assert_int_equal(jumps, 5);
  assert_true(fabs(sampler_slept(s) - 1980) < 1e-6);
  sampler_free(s);
}

/* For a series without trend, nearly all intervals contain the mean. */
static void intervals_contain_the_mean(void **state)
{
  (void)state;
  uint64_t seed = 1;
  int held = 0;
  for (int run = 0; run < 200; run++) {
    const struct sample_plan p = {1, 500, 1, false, 10, 1, 1e-9, false};
    struct sample_mark m[12] = {{0}};
    struct forecast x;
    struct err e;
    double whole = 0, at = 0;
    for (uint64_t i = 1; i <= 500; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      const double length = 1 + (double)(seed >> 40) / (1 << 24);
      whole += length;
      if (i <= 10) {
        m[i - 1] = (struct sample_mark){.iteration = i, .passed = 1, .last_s = at};
        at += length;
      }
    }
    m[10] = (struct sample_mark){.iteration = 11, .passed = 1, .to = 501, .last_s = at};
    m[11] = (struct sample_mark){.iteration = 501, .passed = 1, .last_s = at};
    assert_int_equal(forecast_run(&p, m, 12, at, &x, &e), OK);
    held += fabs(x.time_s - whole) <= x.half_s;
  }
  if (held < 190)
    fail_msg("%d of 200 intervals contain the mean", held);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_time_of_the_whole_run_is_predicted),
      cmocka_unit_test(groups_are_spread_over_the_run),
      cmocka_unit_test(intervals_contain_the_mean),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

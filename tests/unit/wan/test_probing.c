#include "wan/probing.h"

#include <math.h>
#include <string.h>

#include "common/numeric/rng.h"
#include "tests/unit/wan/grid_case.h"

#define MS UINT64_C(1000000000)
#define S  UINT64_C(1000000000000)

static struct probing must_run(const struct processes *p, double alpha, bool one_sided)
{
  struct probing x;
  struct err e;
  const struct probing_input in = {p, alpha, S, 1, one_sided, 3};
  if (probing_run(&x, &in, &e) != OK)
    fail_msg("%s", e.text);
  return x;
}

static void set_rtt(struct processes *p, uint32_t a, uint32_t b, uint64_t ps)
{
  p->rtt_ps[(size_t)a * p->n + b] = p->rtt_ps[(size_t)b * p->n + a] = ps;
}

/* Two processes in two clusters with an RTT of 4 ms. */
static struct processes pair(bool closed_0, bool closed_1)
{
  struct processes p = case_grid(4, CASE_OPEN);
  p.n = 2;
  p.rtt_ps[0] = p.rtt_ps[3] = 0;
  set_rtt(&p, 0, 1, 4 * MS);
  p.closed[0] = closed_0;
  p.closed[1] = closed_1;
  return p;
}

/* A measurement takes three round trips: connect, ping, report. */
static void two_processes_measure_each_other(void **state)
{
  (void)state;
  struct processes p = pair(false, false);
  struct probing x = must_run(&p, 5, true);
  assert_int_equal(x.figures.measured, 2);
  assert_true(x.figures.time_s == 0.012 && x.figures.mean_time_s == 0.012);
  assert_int_equal(x.rtt_ps[1], 4 * MS);
  assert_int_equal(x.depth[1], 0);
  assert_int_equal(x.figures.timeouts + x.figures.filled + x.figures.unknown, 0);
  probing_clear(&x);
  processes_clear(&p);
}

/* A measurement that times out yields the value of the other side or, without one, the timeout. */
static void timeouts_yield_the_value_of_the_other_side(void **state)
{
  (void)state;
  static const struct {
    bool closed_0, closed_1, one_sided;
    uint64_t timeouts, filled, unknown, rtt_ps;
    double mean_time_s;
  } cases[] = {{false, true, false, 1, 0, 0, 4 * MS, (1 + 0.012) / 2},
               {false, true, true, 1, 1, 0, 4 * MS, (1 + 0.012) / 2},
               {true, true, false, 2, 0, 2, S, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct processes p = pair(cases[i].closed_0, cases[i].closed_1);
    struct probing x = must_run(&p, 5, cases[i].one_sided);
    assert_int_equal(x.figures.timeouts, cases[i].timeouts);
    assert_int_equal(x.figures.filled, cases[i].filled);
    assert_int_equal(x.figures.unknown, cases[i].unknown);
    assert_int_equal(x.rtt_ps[1], cases[i].rtt_ps);
    assert_true(x.figures.time_s == 1);
    assert_true(fabs(x.figures.mean_time_s - cases[i].mean_time_s) < 1e-12);
    probing_clear(&x);
    processes_clear(&p);
  }
}

/* Three near processes and a far one, which measures one RTT.  Its other RTTs are estimated from
 * it. */
static void rtts_of_far_processes_are_estimated(void **state)
{
  (void)state;
  struct processes p = case_grid(4, CASE_OPEN);
  memset(p.cluster, 0, 4 * sizeof *p.cluster);
  for (uint32_t a = 0; a < 4; a++)
    for (uint32_t b = 0; b < a; b++)
      set_rtt(&p, a, b, a == 3 ? (20 + b) * MS : 2 * MS);
  struct probing all = must_run(&p, 20, false);
  assert_memory_equal(all.rtt_ps, p.rtt_ps, 16 * sizeof *p.rtt_ps);
  struct probing some = must_run(&p, 5, true);
  uint32_t estimated = 0;
  for (uint32_t i = 0; i < 16; i++) {
    const uint64_t rtt = some.rtt_ps[i];
    estimated += some.depth[i] > 0;
    assert_true(some.depth[i] == 0 ? rtt == p.rtt_ps[i]
                                   : rtt == 20 * MS || rtt == 21 * MS || rtt == 22 * MS);
  }
  assert_true(estimated > 0);
  assert_int_equal(some.figures.direct.count + some.figures.chained.count, estimated);
  probing_clear(&all);
  probing_clear(&some);
  processes_clear(&p);
}

/* Processes are points in a plane, some close to each other, so the RTTs are a metric. */
static struct processes plane(uint32_t n, uint64_t seed)
{
  struct processes p = case_grid(n, CASE_OPEN);
  struct rng r = rng_new(seed, 0);
  double *at = malloc(2 * n * sizeof *at);
  assert_non_null(at);
  for (uint32_t i = 0; i < n; i++) {
    const double wide = i % 8 == 0 ? 1e12 : 3e9, *town = i % 8 == 0 ? NULL : &at[2 * (i - i % 8)];
    for (uint32_t k = 0; k < 2; k++)
      at[2 * i + k] = rng_double(&r) * wide + (town == NULL ? 0 : town[k]);
  }
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < a; b++)
      set_rtt(&p, a, b, (uint64_t)hypot(at[2 * a] - at[2 * b], at[2 * a + 1] - at[2 * b + 1]) + 2);
  free(at);
  return p;
}

static void direct_estimates_are_within_the_bound(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < 5; seed++)
    for (double alpha = 2; alpha < 30; alpha *= 2.5) {
      struct processes p = plane(64, seed);
      struct probing x = must_run(&p, alpha, seed % 2 == 0);
      assert_true(x.figures.direct.count > 0);
      assert_int_equal(x.figures.crooked.count, 0);
      assert_true(x.figures.direct.most <= 1 / (alpha - 1)); /* 25 % for alpha = 5 */
      assert_true(x.figures.direct.mean <= x.figures.direct.most);
      probing_clear(&x);
      processes_clear(&p);
    }
}

static void estimates_without_the_triangle_inequality_are_separate(void **state)
{
  (void)state;
  struct processes p;
  struct err e;
  assert_int_equal(processes_random(&p, 64, 1, &e), OK);
  struct probing x = must_run(&p, 5, false);
  assert_true(x.figures.crooked.count > 0);
  assert_true(x.figures.direct.most <= 0.25);
  assert_true(x.figures.crooked.most > 0.25);
  probing_clear(&x);
  processes_clear(&p);
}

/* Without estimates the result is the true RTTs, also if one of two processes is behind a
 * firewall. */
static void large_alphas_measure_all(void **state)
{
  (void)state;
  struct processes p = case_grid(64, CASE_1FW);
  struct probing all = must_run(&p, 1e6, false), some = must_run(&p, 5, false);
  assert_memory_equal(all.rtt_ps, p.rtt_ps, 64 * 64 * sizeof *p.rtt_ps);
  assert_true(all.figures.measured > some.figures.measured);
  assert_true(all.figures.time_s > some.figures.time_s);
  assert_int_equal(all.figures.direct.count + all.figures.chained.count, 0);
  probing_clear(&all);
  probing_clear(&some);
  processes_clear(&p);
}

static void dates_out_of_range_are_refused(void **state)
{
  (void)state;
  struct processes p = pair(false, false);
  struct probing x;
  struct err e;
  p.rtt_ps[1] = UINT64_C(1) << 62;
  assert_int_equal(probing_run(&x, &(struct probing_input){&p, 5, S, 1, false, 1}, &e), FAIL);
  assert_non_null(strstr(e.text, "by 2 processes exceed the range of simulated time"));
  processes_clear(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_processes_measure_each_other),
      cmocka_unit_test(timeouts_yield_the_value_of_the_other_side),
      cmocka_unit_test(rtts_of_far_processes_are_estimated),
      cmocka_unit_test(direct_estimates_are_within_the_bound),
      cmocka_unit_test(estimates_without_the_triangle_inequality_are_separate),
      cmocka_unit_test(large_alphas_measure_all),
      cmocka_unit_test(dates_out_of_range_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

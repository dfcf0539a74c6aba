/* Completion dates from the clocks of links, compared with the remaining amount of each flow. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "common/numeric/rng.h"
#include "sim/flow/dates.h"

enum { LINKS = 6, FLOWS = 24, ENDS = 200, CASES = 400 };

static struct flow_dates begin(struct maxmin **m, uint32_t links, double precision)
{
  struct err e;
  uint32_t link;
  struct flow_dates d = {.precision_s = precision};
  assert_int_equal(maxmin_new(m, &e), OK);
  for (uint32_t l = 0; l < links; l++)
    assert_int_equal(maxmin_add_link(*m, 8, false, &link, &e), OK);
  d.maxmin = *m;
  assert_int_equal(flow_dates_reserve(&d, FLOWS, &e), OK);
  return d;
}

static void finish(struct flow_dates *d, struct maxmin *m)
{
  flow_dates_clear(d);
  maxmin_free(m);
}

static void start(struct flow_dates *d, struct maxmin *m, uint32_t flow, uint32_t link, double work)
{
  struct err e;
  const struct maxmin_use use = {link, 1};
  const struct maxmin_flow_spec s = {1, INFINITY, &use, 1};
  assert_int_equal(maxmin_add(m, flow, &s, &e), OK);
  assert_int_equal(flow_dates_start(d, flow, work, &e), OK);
}

static void update(struct flow_dates *d, struct maxmin *m, double now)
{
  struct err e;
  assert_int_equal(maxmin_settle(m, &e), OK);
  flow_dates_update(d, now);
}

/* Checks that @p flow ends next, at @p date. */
static void expect(struct flow_dates *d, struct maxmin *m, uint32_t flow, double date)
{
  double got;
  assert_int_equal(flow_dates_first(d, &got), flow);
  assert_float_equal(got, date, 1e-12);
  maxmin_remove(m, flow);
  flow_dates_end(d, flow, got);
}

static void nothing_is_left(struct flow_dates *d)
{
  double date;
  assert_int_equal(flow_dates_first(d, &date), MAXMIN_NONE);
  assert_true(date == INFINITY);
}

static void flows_of_a_link_share_its_clock(void **state)
{
  (void)state;
  struct maxmin *m;
  struct flow_dates d = begin(&m, 2, 1e-9);
  start(&d, m, 0, 0, 16);
  update(&d, m, 0);
  start(&d, m, 1, 0, 20); /* flow 0 has 8 left at 1; both run at 4 */
  start(&d, m, 2, 1, 40); /* alone on its link */
  update(&d, m, 1);
  expect(&d, m, 0, 3);
  update(&d, m, 3);
  expect(&d, m, 1, 4.5); /* 12 left at 3, alone */
  update(&d, m, 4.5);
  expect(&d, m, 2, 6);
  update(&d, m, 6);
  nothing_is_left(&d);
  finish(&d, m);
}

/* Flows that end at the same date, in the order of their numbers, and one that ends slightly
 * later, before the rates are updated. */
static void flows_end_together(void **state)
{
  (void)state;
  struct maxmin *m;
  struct flow_dates d = begin(&m, 2, 0.25);
  start(&d, m, 3, 0, 2);
  start(&d, m, 1, 0, 2);
  start(&d, m, 2, 1, 6);
  start(&d, m, 0, 0, 2.2);
  start(&d, m, 4, 0, 4);
  update(&d, m, 0);
  expect(&d, m, 2, 0.75);
  start(&d, m, 5, 0, 1); /* on no clock yet */
  expect(&d, m, 1, 1);
  assert_int_equal(heap_count(&d.heap),
                   3); /* the flows that end now and the next one: one search */
  expect(&d, m, 3, 1);
  expect(&d, m, 0, 1.1);
  double date;
  assert_int_equal(flow_dates_first(&d, &date), 4);
  assert_float_equal(date, 2, 1e-12);
  update(&d, m, 1.1); /* flow 4 has 1.8 left */
  expect(&d, m, 5, 1.35);
  update(&d, m, 1.35);
  expect(&d, m, 4, 1.45);
  finish(&d, m);
}

static void latencies_are_dates(void **state)
{
  (void)state;
  struct maxmin *m;
  double date;
  struct flow_dates d = begin(&m, 1, 1e-9);
  flow_dates_set(&d, 5, 2);
  start(&d, m, 0, 0, 32);
  update(&d, m, 0);
  assert_int_equal(flow_dates_first(&d, &date), 5);
  assert_true(date == 2);
  flow_dates_end(&d, 5, 2);
  expect(&d, m, 0, 4);
  nothing_is_left(&d);
  finish(&d, m);
}

/* Remaining amounts of flows; 0: no flow. */
struct account {
  double left[FLOWS], since;
  const struct maxmin *m;
};

static void pass(struct account *a, double now)
{
  for (uint32_t f = 0; f < FLOWS; f++)
    if (a->left[f] > 0)
      a->left[f] = fmax(a->left[f] - maxmin_level(a->m, f) * (now - a->since), 1e-300);
  a->since = now;
}

static double soonest(const struct account *a)
{
  double date = INFINITY;
  for (uint32_t f = 0; f < FLOWS; f++)
    if (a->left[f] > 0)
      date = fmin(date, a->since + a->left[f] / maxmin_level(a->m, f));
  return date;
}

static void draw(struct account *a, struct rng *r, struct flow_dates *d, struct maxmin *m)
{
  static const double penalty[] = {1, 2, 0.5}, bound[] = {INFINITY, 3};
  const uint32_t f = (uint32_t)rng_below(r, FLOWS);
  struct maxmin_use use[3];
  struct maxmin_flow_spec s = {penalty[rng_below(r, 3)], bound[rng_below(r, 2)], use, 3};
  struct err e;
  for (uint32_t i = 0; i < s.uses; i++)
    use[i] = (struct maxmin_use){(uint32_t)rng_below(r, LINKS), i == 0 ? 1 : 0.05};
  if (a->left[f] > 0)
    return;
  a->left[f] = 1 + rng_double(r);
  assert_int_equal(maxmin_add(m, f, &s, &e), OK);
  assert_int_equal(flow_dates_start(d, f, a->left[f], &e), OK);
}

static void dates_agree_with_the_remaining_amounts(void **state)
{
  (void)state;
  for (uint32_t c = 0; c < CASES; c++) {
    struct rng r = rng_new(9, c);
    struct maxmin *m;
    struct flow_dates d = begin(&m, LINKS, c % 2 ? 0.01 : 1e-9);
    struct account a = {.m = m};
    for (int n = 0; n < ENDS; n++) {
      double date;
      for (uint64_t k = rng_below(&r, n % 50 < 40 ? 4 : 1); k > 0; k--)
        draw(&a, &r, &d, m);
      update(&d, m, a.since);
      uint32_t f = flow_dates_first(&d, &date);
      assert_true((f == MAXMIN_NONE && soonest(&a) == INFINITY) ||
                  fabs(date - soonest(&a)) <= 1e-9 * date);
      if (f == MAXMIN_NONE)
        continue;
      pass(&a, date);
      for (; date - a.since < d.precision_s; f = flow_dates_first(&d, &date)) {
        assert_float_equal(date, a.since + a.left[f] / maxmin_level(m, f), 1e-9 * date);
        a.left[f] = 0;
        maxmin_remove(m, f);
        flow_dates_end(&d, f, a.since);
        assert_true(soonest(&a) >= date - 1e-9 * date);
      }
    }
    finish(&d, m);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flows_of_a_link_share_its_clock),
      cmocka_unit_test(flows_end_together),
      cmocka_unit_test(latencies_are_dates),
      cmocka_unit_test(dates_agree_with_the_remaining_amounts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

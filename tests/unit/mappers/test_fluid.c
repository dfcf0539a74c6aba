/* Ends of flows that start together or later, calculated by hand, and their bounds by the loads of
 * links. */
#include <math.h>

#include "mappers/fluid.h"
#include "tests/unit/mappers/merge.h"

enum { LINKS = 3, MOST = 4, FLOWS = 40 };

struct flow {
  double count, megabytes, penalty, bound; /* bound: share of a link's bandwidth; 0: none */
  int uses;
  int link[LINKS];
  double end; /* in units of the time of a megabyte on a link */
};

/* The last flow has no bytes: it ends the list. */
static const struct flow CASE[][MOST + 1] = {
    {{1, 1, 1, 0, 1, {0}, 1}},
    {{1, 1, 1, 0, 1, {0}, 2}, {1, 1, 1, 0, 1, {0}, 2}},
    {{2, 1, 1, 0, 1, {0}, 3}, {1, 1, 1, 0, 1, {0}, 3}},
    {{1, 1, 1, 0, 1, {0}, 2}, {1, 2, 1, 0, 1, {0}, 3}},
    /* far and near flows */
    {{1, 1, 1, 0, 1, {0}, 4.0 / 3}, {1, 1, 3, 0, 1, {0}, 2}},
    /* a bound leaves room for the other flow */
    {{1, 1, 1, 0.1, 1, {0}, 10}, {1, 1, 1, 0, 1, {0}, 1 / 0.9}},
    /* the flow over both links leaves room on the first */
    {{1, 1, 1, 0, 2, {0, 1}, 3},
     {1, 1, 1, 0, 1, {0}, 1.5},
     {1, 1, 1, 0, 1, {1}, 3},
     {1, 1, 1, 0, 1, {1}, 3}},
    /* separate links */
    {{1, 1, 1, 0, 1, {0}, 1}, {1, 5, 1, 0, 1, {1}, 5}, {1, 3, 1, 0.5, 1, {2}, 6}},
};

struct links {
  struct platform *p;
  uint32_t id[LINKS];
  double bandwidth;
};

static struct links open_links(void)
{
  struct links x = {.p = opened_platform("torus:4")};
  uint32_t n = 0;
  for (uint32_t i = 0; n < LINKS; i++)
    if (platform_has_link(x.p, i) && !platform_is_loopback(x.p, i))
      x.id[n++] = i;
  x.bandwidth = platform_link(x.p, x.id[0]).bandwidth;
  return x;
}

static void add(struct fluid *x, const struct links *l, const struct flow *f, double start)
{
  const struct fluid_flow flow = {f->count, 1e6 * f->megabytes, f->penalty,
                                  f->bound > 0 ? f->bound * l->bandwidth : INFINITY,
                                  start * 1e6 / l->bandwidth};
  assert_int_equal(fluid_add(x, &flow), OK);
  for (int i = 0; i < f->uses; i++)
    assert_int_equal(fluid_use(x, &l->id[f->link[i]], 1, 1), OK);
}

/* Flows of a megabyte over one link. */
static const struct {
  int flows;
  double bound, start[MOST], end[MOST];
} LATER[] = {
    {2, 0, {0, 2}, {1, 3}},
    {2, 0, {0, 0.5}, {1.5, 2}},
    {3, 0, {0.5, 0, 0.5}, {3, 2, 3}},
    {4, 0, {2, 0, 2, 2}, {5, 1, 5, 5}},
    {2, 0.5, {0, 1}, {2, 3}},
    {2, 1, {0, 0.005}, {2, 2.005}}, /* starts that differ by 0.5 % of the duration count as equal */
};

static void later_starts(void **state)
{
  (void)state;
  struct links l = open_links();
  struct fluid *x;
  struct err e;
  assert_int_equal(fluid_new(&x, l.p, &e), OK);
  for (size_t i = 0; i < COUNT(LATER); i++) {
    const struct flow f = {1, 1, 1, LATER[i].bound, 1, {0}, 0};
    double end_s[MOST];
    fluid_begin(x, &e);
    for (int k = 0; k < LATER[i].flows; k++)
      add(x, &l, &f, LATER[i].start[k]);
    assert_int_equal(fluid_run(x, end_s), OK);
    for (int k = 0; k < LATER[i].flows; k++)
      if (fabs(end_s[k] * l.bandwidth / 1e6 - LATER[i].end[k]) > 1e-6)
        fail_msg("case %zu, flow %d: %g instead of %g", i, k, end_s[k] * l.bandwidth / 1e6,
                 LATER[i].end[k]);
  }
  fluid_free(x);
  platform_free(l.p);
}

static void ends_agree_with_hand_calculation(void **state)
{
  (void)state;
  struct links l = open_links();
  struct fluid *x;
  struct err e;
  assert_int_equal(fluid_new(&x, l.p, &e), OK);
  for (size_t i = 0; i < COUNT(CASE); i++) {
    double end_s[MOST];
    fluid_begin(x, &e);
    for (const struct flow *f = CASE[i]; f->count > 0; f++)
      add(x, &l, f, 0);
    assert_int_equal(fluid_run(x, end_s), OK);
    for (int k = 0; CASE[i][k].count > 0; k++) {
      const double end = end_s[k] * l.bandwidth / 1e6;
      if (fabs(end - CASE[i][k].end) > 1e-6)
        fail_msg("case %zu, flow %d: %g instead of %g", i, k, end, CASE[i][k].end);
    }
  }
  fluid_free(x);
  platform_free(l.p);
}

static struct flow draw(struct rng *r)
{
  struct flow f = {.count = (double)(1 + rng_below(r, 3)),
                   .megabytes = (double)(1 + rng_below(r, 9)),
                   .penalty = (double)(1 + rng_below(r, 5)),
                   .bound = rng_below(r, 2) == 0 ? 0.3 : 0,
                   .uses = 1 + (int)rng_below(r, LINKS)};
  const int first = (int)rng_below(r, LINKS);
  for (int i = 0; i < f.uses; i++)
    f.link[i] = (first + i) % LINKS;
  return f;
}

/* No flow ends before its own bytes allow, and no link carries more than its bandwidth. */
static void links_are_not_overloaded(void **state)
{
  (void)state;
  struct links l = open_links();
  struct rng r = rng_new(1, 1);
  struct fluid *x;
  struct err e;
  assert_int_equal(fluid_new(&x, l.p, &e), OK);
  for (int run = 0; run < 50; run++) {
    struct flow flow[FLOWS];
    double end_s[FLOWS], load[LINKS] = {0}, last[LINKS] = {0};
    fluid_begin(x, &e);
    for (int i = 0; i < FLOWS; i++) {
      flow[i] = draw(&r);
      add(x, &l, &flow[i], 0);
    }
    assert_int_equal(fluid_run(x, end_s), OK);
    for (int i = 0; i < FLOWS; i++) {
      const double end = end_s[i] * l.bandwidth / 1e6;
      assert_true(end >= flow[i].megabytes * (flow[i].bound > 0 ? 1 / flow[i].bound : 1) - 1e-6);
      for (int k = 0; k < flow[i].uses; k++) {
        load[flow[i].link[k]] += flow[i].count * flow[i].megabytes;
        last[flow[i].link[k]] = fmax(last[flow[i].link[k]], end);
      }
    }
    for (int k = 0; k < LINKS; k++)
      assert_true(last[k] >= load[k] * (1 - 1e-9));
  }
  fluid_free(x);
  platform_free(l.p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_agree_with_hand_calculation),
                                     cmocka_unit_test(later_starts),
                                     cmocka_unit_test(links_are_not_overloaded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

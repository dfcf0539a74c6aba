/* Compares the incremental solution with progressive filling, after every change of random
 * systems. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "common/numeric/rng.h"
#include "sim/flow/maxmin.h"

enum { MOST_LINKS = 24, MOST_FLOWS = 60, MOST_USES = 6, CASES = 10000 };

/* The flows and links of a system; a flow without uses does not exist. */
struct system {
  uint32_t links, flows;
  double capacity[MOST_LINKS];
  bool fat[MOST_LINKS], varies[MOST_LINKS];
  struct maxmin_flow_spec flow[MOST_FLOWS];
  struct maxmin_use use[MOST_FLOWS][MOST_USES];
  double was[MOST_FLOWS]; /* level after the previous change; 0: no flow */
  uint32_t stopped_by[MOST_FLOWS];
};

/* Load of a flow on a link at level 1. */
static double weight(const struct system *s, uint32_t flow, uint32_t link)
{
  double share = 0;
  for (uint32_t i = 0; i < s->flow[flow].uses; i++)
    if (s->use[flow][i].link == link)
      share = s->fat[link] ? fmax(share, s->use[flow][i].share) : share + s->use[flow][i].share;
  return share > 0 ? share / s->flow[flow].penalty : 0;
}

/* The level at which the link is full.  Flows with a level are already stopped. */
static double full_at(const struct system *s, const double *level, uint32_t link)
{
  double rest = s->capacity[link], sum = 0, most = 0;
  for (uint32_t f = 0; f < s->flows; f++) {
    const double w = weight(s, f, link);
    if (level[f] >= 0) {
      rest -= w * level[f];
      continue;
    }
    sum += w;
    most = fmax(most, w);
  }
  if (s->fat[link])
    return most > 0 ? s->capacity[link] / most : INFINITY;
  return sum > 0 ? fmax(rest, 0) / sum : INFINITY;
}

/* One round of filling, up to the next bounds or full links; false when all flows are stopped. */
static bool fill_round(const struct system *s, double *level)
{
  double least = INFINITY, at[MOST_LINKS], bound[MOST_FLOWS];
  bool link = false;
  for (uint32_t f = 0; f < s->flows; f++) {
    bound[f] =
        s->flow[f].uses > 0 && level[f] < 0 ? s->flow[f].bound * s->flow[f].penalty : INFINITY;
    least = fmin(least, bound[f]);
  }
  for (uint32_t l = 0; l < s->links; l++) {
    at[l] = full_at(s, level, l);
    link |= at[l] <= least;
    least = fmin(least, at[l]);
  }
  for (uint32_t f = 0; f < s->flows; f++)
    if (!link && bound[f] == least && least < INFINITY)
      level[f] = least;
  for (uint32_t l = 0; l < s->links; l++)
    for (uint32_t f = 0; link && least < INFINITY && at[l] == least && f < s->flows; f++)
      if (level[f] < 0 && weight(s, f, l) > 0)
        level[f] = least;
  return least < INFINITY;
}

static void compare(const struct system *s, struct maxmin *m)
{
  double level[MOST_FLOWS];
  for (uint32_t f = 0; f < s->flows; f++)
    level[f] = -1;
  while (fill_round(s, level))
    ;
  for (uint32_t f = 0; f < s->flows; f++)
    if (s->flow[f].uses > 0) {
      const double got = maxmin_level(m, f);
      if (fabs(got - level[f]) > 1e-9 * level[f])
        print_error("flow %u has level %.17g, filling says %.17g\n", f, got, level[f]);
      assert_true(fabs(got - level[f]) <= 1e-9 * level[f]);
    }
}

static void mark_each_once(bool *reported, const uint32_t *number, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    assert_false(reported[number[i]]);
    reported[number[i]] = true;
  }
}

/* A flow must be reported if its bottleneck changes, and a link if its level or its flows
 * change. */
static void compare_changes(struct system *s, const struct maxmin *m)
{
  bool flow[MOST_FLOWS] = {false}, link[MOST_LINKS] = {false};
  uint32_t n;
  const uint32_t *changed = maxmin_changed(m, &n);
  mark_each_once(flow, changed, n);
  changed = maxmin_changed_links(m, &n);
  mark_each_once(link, changed, n);
  for (uint32_t f = 0; f < s->flows; f++) {
    const bool there = s->flow[f].uses > 0;
    const double level = there ? maxmin_level(m, f) : 0;
    const uint32_t at = there ? maxmin_bottleneck(m, f) : MAXMIN_NONE, before = s->stopped_by[f];
    assert_true(at == MAXMIN_NONE || level == maxmin_link_level(m, at));
    assert_true(!there || at == before || flow[f]);
    assert_true(at == before || before == MAXMIN_NONE || link[before]);
    assert_true(at == before || at == MAXMIN_NONE || link[at]);
    assert_true(level == s->was[f] || !there || flow[f] || link[at]);
    s->was[f] = level;
    s->stopped_by[f] = at;
  }
}

static double pick(struct rng *r, const double *v, uint32_t n, bool even)
{
  return even ? v[rng_below(r, n)] : v[0] + (v[n - 1] - v[0]) * rng_double(r);
}

static void draw_links(struct system *s, struct rng *r, struct maxmin *m, bool even, bool fat)
{
  static const double capacity[] = {1e9, 1.25e9, 1e8};
  s->links = 1 + (uint32_t)rng_below(r, MOST_LINKS);
  s->flows = 1 + (uint32_t)rng_below(r, MOST_FLOWS);
  for (uint32_t l = 0; l < s->links; l++) {
    struct err e;
    uint32_t index;
    s->capacity[l] = pick(r, capacity, 3, even);
    s->fat[l] = fat && rng_below(r, 6) == 0;
    s->varies[l] = !s->fat[l] && rng_below(r, 4) == 0;
    if (s->varies[l])
      assert_int_equal(maxmin_add_varying(m, s->capacity[l], &index, &e), OK);
    else
      assert_int_equal(maxmin_add_link(m, s->capacity[l], s->fat[l], &index, &e), OK);
    assert_int_equal(index, l);
  }
}

static void draw_flow(struct system *s, struct rng *r, uint32_t f, bool even)
{
  static const double share[] = {1, 1, 0.05, 1}, penalty[] = {2e-5, 4e-5, 6e-5, 3e-4},
                      bound[] = {1e7, 1e8, 1e9};
  struct maxmin_flow_spec *w = &s->flow[f];
  w->use = s->use[f];
  w->uses = 1 + (uint32_t)rng_below(r, MOST_USES);
  w->penalty = pick(r, penalty, 4, even);
  w->bound = rng_below(r, 3) == 0 ? pick(r, bound, 3, even) : INFINITY;
  bool vary = true;
  for (uint32_t i = 0; i < w->uses; i++) {
    s->use[f][i] = (struct maxmin_use){(uint32_t)rng_below(r, s->links), share[rng_below(r, 4)]};
    vary = vary && s->varies[s->use[f][i].link];
  }
  if (vary)
    w->bound = 1e9;
}

/* Gives some of the varying links, used or not, another capacity. */
static void vary(struct system *s, struct rng *r, struct maxmin *m, bool even)
{
  static const double capacity[] = {1e9, 1.25e9, 1e8, 5e7};
  for (uint32_t l = 0; l < s->links; l++)
    if (s->varies[l] && rng_below(r, 3) == 0) {
      s->capacity[l] = pick(r, capacity, 4, even);
      maxmin_vary(m, l, s->capacity[l]);
    }
}

/* Adds some flows and removes others in one change. */
static void change(struct system *s, struct rng *r, struct maxmin *m, bool even)
{
  struct err e;
  for (uint32_t k = 1 + (uint32_t)rng_below(r, rng_below(r, 4) == 0 ? s->flows : 3); k > 0; k--) {
    const uint32_t f = (uint32_t)rng_below(r, s->flows);
    if (s->flow[f].uses > 0) {
      maxmin_remove(m, f);
      s->flow[f].uses = 0;
    } else {
      draw_flow(s, r, f, even);
      assert_int_equal(maxmin_add(m, f, &s->flow[f], &e), OK);
    }
  }
  vary(s, r, m, even);
  assert_int_equal(maxmin_settle(m, &e), OK);
}

static void random_systems_agree_with_filling(void **state)
{
  (void)state;
  for (uint32_t c = 0; c < CASES; c++) {
    struct rng r = rng_new(5, c);
    static struct system s;
    struct maxmin *m;
    struct err e;
    memset(&s, 0, sizeof s);
    memset(s.stopped_by, 0xff, sizeof s.stopped_by); /* MAXMIN_NONE */
    assert_int_equal(maxmin_new(&m, &e), OK);
    draw_links(&s, &r, m, c % 2, c % 4 == 0); /* equal levels, fat links: rounding matters */
    for (uint32_t k = 0; k < 12; k++) {
      change(&s, &r, m, c % 2);
      compare(&s, m);
      compare_changes(&s, m);
    }
    maxmin_free(m);
  }
}

static double rate(const struct maxmin *m, uint32_t flow, const struct maxmin_flow_spec *s)
{
  return maxmin_level(m, flow) / s->penalty;
}

/* Rates do not depend on the order of insertion, except for rounding. */
static void the_order_of_insertion_does_not_matter(void **state)
{
  (void)state;
  struct rng r = rng_new(6, 0);
  struct system s = {.links = 12, .flows = 40};
  double was[MOST_FLOWS] = {0};
  uint32_t order[MOST_FLOWS];
  for (uint32_t f = 0; f < s.flows; f++) {
    draw_flow(&s, &r, f, true);
    order[f] = f;
  }
  for (int k = 0; k < 20; k++) {
    struct maxmin *m;
    struct err e;
    uint32_t link;
    assert_int_equal(maxmin_new(&m, &e), OK);
    for (uint32_t l = 0; l < s.links; l++)
      assert_int_equal(maxmin_add_link(m, 1e9, false, &link, &e), OK);
    for (uint32_t f = 0; f < s.flows; f++) {
      assert_int_equal(maxmin_add(m, order[f], &s.flow[order[f]], &e), OK);
      if (k % 2 == 0)
        assert_int_equal(maxmin_settle(m, &e), OK);
    }
    assert_int_equal(maxmin_settle(m, &e), OK);
    for (uint32_t f = 0; f < s.flows; f++) {
      if (k > 0)
        assert_float_equal(rate(m, f, &s.flow[f]), was[f], 1e-11 * was[f]);
      was[f] = rate(m, f, &s.flow[f]);
    }
    maxmin_free(m);
    rng_shuffle(&r, order, s.flows);
  }
}

/* Two flows on one link, one on another: only changes are reported. */
static void changes_are_reported_once(void **state)
{
  (void)state;
  static const struct maxmin_use use[] = {{0, 1}, {1, 1}};
  const struct maxmin_flow_spec on[] = {{1, INFINITY, &use[0], 1}, {1, INFINITY, &use[1], 1}};
  struct maxmin *m;
  struct err e;
  uint32_t link, n;
  assert_int_equal(maxmin_new(&m, &e), OK);
  for (int l = 0; l < 2; l++)
    assert_int_equal(maxmin_add_link(m, 8, false, &link, &e), OK);
  assert_int_equal(maxmin_add(m, 0, &on[0], &e), OK);
  assert_int_equal(maxmin_add(m, 2, &on[1], &e), OK);
  assert_int_equal(maxmin_settle(m, &e), OK);
  maxmin_changed(m, &n);
  assert_int_equal(n, 2);
  assert_true(isinf(maxmin_link_level(m, 0)));
  assert_int_equal(maxmin_add(m, 1, &on[0], &e), OK);
  assert_int_equal(maxmin_add(m, 3, &on[1], &e), OK);
  maxmin_remove(m, 3);
  assert_int_equal(maxmin_settle(m, &e), OK);
  const uint32_t *changed = maxmin_changed(m, &n);
  assert_int_equal(n, 2);
  assert_int_equal(changed[0] + changed[1], 1);
  changed = maxmin_changed_links(m, &n);
  assert_int_equal(n, 1);
  assert_int_equal(changed[0], 0);
  assert_true(maxmin_level(m, 0) == 4 && maxmin_level(m, 2) == 8 && maxmin_link_level(m, 0) == 4);
  assert_int_equal(maxmin_settle(m, &e), OK);
  maxmin_changed(m, &n);
  assert_int_equal(n, 0);
  maxmin_changed_links(m, &n);
  assert_int_equal(n, 0);
  maxmin_remove(m, 1);
  maxmin_remove(m, 0);
  assert_int_equal(maxmin_settle(m, &e), OK);
  assert_true(isinf(maxmin_link_level(m, 0)));
  maxmin_free(m);
}

/* 20 flows use a fat link and a wide link.  Three flows on the fat link, each with half the penalty
 * of the previous one, lower the level of the 20 flows. Meanwhile 10 of the 20 flows are removed.
 * A last flow gets the remaining capacity of the wide link. */
static void long_lists_of_fat_links_are_right(void **state)
{
  (void)state;
  static const struct maxmin_use use[] = {{0, 1}, {1, 1}};
  struct maxmin *m;
  struct err e;
  uint32_t link;
  assert_int_equal(maxmin_new(&m, &e), OK);
  assert_int_equal(maxmin_add_link(m, 8, true, &link, &e), OK);
  assert_int_equal(maxmin_add_link(m, 1000, false, &link, &e), OK);
  for (uint32_t f = 0; f < 20; f++)
    assert_int_equal(maxmin_add(m, f, &(struct maxmin_flow_spec){1, INFINITY, use, 2}, &e), OK);
  assert_int_equal(maxmin_settle(m, &e), OK);
  assert_true(maxmin_level(m, 0) == 8);
  double penalty = 1;
  for (uint32_t f = 20; f < 23; f++) {
    penalty /= 2;
    const struct maxmin_flow_spec greedy = {penalty, INFINITY, use, 1};
    assert_int_equal(maxmin_add(m, f, &greedy, &e), OK);
    assert_int_equal(maxmin_settle(m, &e), OK);
    assert_true(maxmin_level(m, 0) == 8 * penalty && rate(m, f, &greedy) == 8);
    for (uint32_t gone = 10; f == 21 && gone < 20; gone++)
      maxmin_remove(m, gone);
  }
  const struct maxmin_flow_spec last = {1, INFINITY, use + 1, 1};
  assert_int_equal(maxmin_add(m, 23, &last, &e), OK);
  assert_int_equal(maxmin_settle(m, &e), OK);
  assert_float_equal(maxmin_level(m, 23), 990, 1e-9);
  maxmin_free(m);
}

static uint32_t count_spare(const struct maxmin *m, uint32_t flow)
{
  uint32_t n = 0, hop = 0;
  while (maxmin_next_spare(m, flow, &hop) != MAXMIN_NONE)
    n++;
  return n;
}

/* One flow fills links 0, 1 and 3, and half of link 2; a second one takes half of link 1. */
static void full_links_that_stop_nothing_are_spare(void **state)
{
  (void)state;
  static const struct maxmin_use use[] = {{0, 1}, {1, 1}, {2, 1}, {3, 1}};
  const struct maxmin_flow_spec both = {1, INFINITY, use, 4}, half = {1, 4, use + 1, 2};
  struct maxmin *m;
  struct err e;
  uint32_t link;
  assert_int_equal(maxmin_new(&m, &e), OK);
  for (uint32_t l = 0; l < 4; l++)
    assert_int_equal(maxmin_add_varying(m, l == 2 ? 16 : 8, &link, &e), OK);
  assert_int_equal(maxmin_add(m, 0, &both, &e), OK);
  assert_int_equal(maxmin_settle(m, &e), OK);
  const uint32_t by = maxmin_bottleneck(m, 0);
  assert_true(by == 0 || by == 1 || by == 3);
  for (uint32_t l = 0; l < 4; l++)
    assert_int_equal(maxmin_is_spare(m, l), l != 2 && l != by);
  assert_int_equal(count_spare(m, 0), 2);
  assert_int_equal(maxmin_add(m, 1, &half, &e), OK);
  assert_int_equal(maxmin_settle(m, &e), OK);
  for (uint32_t l = 0; l < 4; l++)
    assert_false(maxmin_is_spare(m, l)); /* link 1 stops flow 0 at 4; the others have slack */
  maxmin_remove(m, 0);
  maxmin_remove(m, 1);
  assert_int_equal(maxmin_settle(m, &e), OK);
  assert_false(maxmin_is_spare(m, 0));
  maxmin_free(m);
}

/* Flow 0 alone fills link 0 and takes half of link 1; flow 1 takes the other half. */
static void a_link_full_of_one_capped_flow_is_left_out(void **state)
{
  (void)state;
  static const struct maxmin_use use[] = {{0, 1}, {1, 1}};
  const struct maxmin_flow_spec both = {1, INFINITY, use, 2}, half = {1, 8, use + 1, 1};
  struct maxmin *m;
  struct err e;
  uint32_t link;
  assert_int_equal(maxmin_new(&m, &e), OK);
  for (uint32_t l = 0; l < 2; l++)
    assert_int_equal(maxmin_add_link(m, l == 0 ? 8 : 16, false, &link, &e), OK);
  assert_int_equal(maxmin_add(m, 0, &both, &e), OK);
  assert_int_equal(maxmin_settle(m, &e), OK);
  assert_int_equal(maxmin_bottleneck(m, 0), MAXMIN_NONE);
  assert_true(maxmin_is_spare(m, 0));
  assert_int_equal(count_spare(m, 0), 0);
  assert_int_equal(maxmin_add(m, 1, &half, &e), OK);
  assert_int_equal(maxmin_settle(m, &e), OK);
  assert_int_equal(count_spare(m, 0), 1); /* link 1 */
  assert_int_equal(count_spare(m, 1), 1);
  maxmin_free(m);
}

static void too_many_shares_are_refused(void **state)
{
  (void)state;
  struct maxmin *m;
  struct err e;
  uint32_t link;
  assert_int_equal(maxmin_new(&m, &e), OK);
  assert_int_equal(maxmin_add_link(m, 1, false, &link, &e), OK);
  for (uint32_t f = 0; f < 65; f++) {
    const struct maxmin_use use = {0, f + 1};
    const struct maxmin_flow_spec s = {1, INFINITY, &use, 1};
    assert_int_equal(maxmin_add(m, f, &s, &e), f < 64 ? OK : FAIL);
  }
  assert_string_equal(e.text, "flows take more than 64 different shares of their links");
  assert_int_equal(maxmin_settle(m, &e), OK);
  assert_float_equal(maxmin_level(m, 0), 1.0 / (65 * 32), 1e-12);
  maxmin_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_systems_agree_with_filling),
      cmocka_unit_test(the_order_of_insertion_does_not_matter),
      cmocka_unit_test(changes_are_reported_once),
      cmocka_unit_test(long_lists_of_fat_links_are_right),
      cmocka_unit_test(full_links_that_stop_nothing_are_spare),
      cmocka_unit_test(a_link_full_of_one_capped_flow_is_left_out),
      cmocka_unit_test(too_many_shares_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

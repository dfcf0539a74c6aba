/* The values maintained while ranks move equal the values of metrics.h and of brute force. */
#include <stdio.h>
#include <string.h>

#include "mappers/metrics.h"
#include "mappers/refine/paths.h"
#include "mappers/refine/swaps.h"
#include "tests/unit/mappers/merge.h"

enum { MOVES = 300, CHECKED = 25 };

static const struct {
  const char *spec;
  uint32_t ranks, per_host;
} CASE[] = {
    {"torus:4x4x2", 32, 1},
    {"torus:5x3", 13, 1},
    {"torus:7x2", 20, 2},
    {"torus:66x2", 40, 1}, /* a side too long for the tables of routes */
    {"torus:33x35", 60, 1},
    {"mesh:4x3x2", 24, 1},
    {"mesh:9", 12, 3},
    {"hypercube:5", 30, 1},
    {"torus:1x4", 4, 1},
    {"torus:2", 2, 1},
    {"fattree:k=4", 16, 1},
    {"fattree:k=4", 20, 2},
    {"star:7", 7, 1},
    {"dragonfly:groups=3,chassis=2,routers=2,nodes=2", 22, 1},
    {"random-clusters:hosts=24,sizes=8+16,seed=3", 24, 1},
    {"random-clusters:hosts=24,sizes=8+16,seed=4", 30, 2},
    {"tests/data/zones.xml", 6, 2}, /* has links without contention */
    {"torus:1", 3, 3},
};

/* Load of each link in bytes.  Links without contention are left out. */
static void load_links(const struct mapper_input *in, const uint32_t *host, uint64_t *load)
{
  struct platform_finder *f;
  struct platform_route r;
  struct err e;
  assert_int_equal(platform_finder_new(&f, in->platform, &e), OK);
  for (size_t i = 0; i < in->traffic->count; i++) {
    const struct matrix_entry *x = &in->traffic->entry[i];
    if (host[x->src] == host[x->dst])
      continue;
    assert_int_equal(platform_route(f, host[x->src], host[x->dst], &r, &e), OK);
    for (uint32_t k = 0; k < r.links; k++)
      if (!platform_link(in->platform, r.link[k]).fat)
        load[r.link[k]] += x->bytes;
  }
  platform_finder_free(f);
}

/* Sum over the routes of the hops times the load of the fullest link. */
static swaps_value sum_paths(const struct mapper_input *in, const uint32_t *host)
{
  struct platform_finder *f;
  struct platform_route r;
  struct err e;
  swaps_value sum = 0;
  uint64_t *load = calloc(platform_link_ids(in->platform) + 1, sizeof *load);
  assert_non_null(load);
  load_links(in, host, load);
  assert_int_equal(platform_finder_new(&f, in->platform, &e), OK);
  for (size_t i = 0; i < in->traffic->count; i++) {
    const struct matrix_entry *x = &in->traffic->entry[i];
    uint64_t most = 0;
    if (host[x->src] == host[x->dst] || x->bytes == 0)
      continue;
    assert_int_equal(platform_route(f, host[x->src], host[x->dst], &r, &e), OK);
    for (uint32_t k = 0; k < r.links; k++)
      most = load[r.link[k]] > most ? load[r.link[k]] : most;
    sum += (swaps_value)most * r.links;
  }
  platform_finder_free(f);
  free(load);
  return sum;
}

/* Counts existing links without loopbacks.  @p alike: all shared links have the same bandwidth. */
static uint32_t count_links(const struct platform *p, bool *alike)
{
  uint32_t n = 0;
  double bandwidth = 0;
  *alike = true;
  for (uint32_t i = 0; i < platform_link_ids(p); i++) {
    const struct platform_link l = platform_link(p, i);
    if (!platform_has_link(p, i) || platform_is_loopback(p, i))
      continue;
    n++;
    *alike = *alike && (l.fat || bandwidth == 0 || l.bandwidth == bandwidth);
    bandwidth = l.fat ? bandwidth : l.bandwidth;
  }
  return n;
}

/* Marks the first and the last link of each route, the cables of hosts that do not forward.  False
 * if hosts forward, if their cables differ, or with several ranks per host. */
static bool mark_cables(const struct mapper_input *in, uint8_t *cable)
{
  static const char *const KINDS[] = {"star:", "fattree:", "dragonfly:", "random-clusters:"};
  struct platform_finder *f;
  struct platform_route r;
  struct err e;
  double bandwidth = 0;
  bool own = false;
  for (size_t i = 0; i < COUNT(KINDS); i++)
    own = own || strncmp(platform_name(in->platform), KINDS[i], strlen(KINDS[i])) == 0;
  assert_int_equal(platform_finder_new(&f, in->platform, &e), OK);
  for (uint32_t a = 0; a < platform_hosts(in->platform); a++)
    for (uint32_t b = 0; b < platform_hosts(in->platform); b++) {
      if (a == b)
        continue;
      assert_int_equal(platform_route(f, a, b, &r, &e), OK);
      const uint32_t ends[] = {r.link[0], r.link[r.links - 1]};
      for (int i = 0; i < 2; i++) {
        const double width = platform_link(in->platform, ends[i]).bandwidth;
        own = own && (bandwidth == 0 || bandwidth == width);
        bandwidth = width;
        cable[ends[i]] = 1;
      }
    }
  platform_finder_free(f);
  return own && in->ranks_per_host == 1;
}

/* The load of the fullest link that is no cable of a host, in bytes or as the bits of its seconds.
 */
static uint64_t fullest_between(const struct mapper_input *in, const uint32_t *host,
                                const uint8_t *cable)
{
  const struct platform *p = in->platform;
  const uint32_t ids = platform_link_ids(p);
  uint64_t *load = calloc(ids + 1, sizeof *load), most = 0, key;
  double bandwidth = 0, longest = 0;
  bool alike = true;
  assert_non_null(load);
  load_links(in, host, load);
  for (uint32_t i = 0; i < ids; i++) {
    if (!platform_has_link(p, i) || platform_is_loopback(p, i) || cable[i])
      continue;
    const struct platform_link l = platform_link(p, i);
    const double s = (double)load[i] / l.bandwidth;
    alike = alike && (l.fat || bandwidth == 0 || bandwidth == l.bandwidth);
    bandwidth = l.fat ? bandwidth : l.bandwidth;
    most = load[i] > most ? load[i] : most;
    longest = s > longest ? s : longest;
  }
  free(load);
  memcpy(&key, &longest, sizeof key);
  return alike ? most : key;
}

/* The expected value of the objective, from the metrics. */
static swaps_value expected(const struct mapper_input *in, enum objective objective, uint32_t *host)
{
  const struct mapping m = {.ranks = in->ranks, .host = host};
  struct metrics x;
  struct err e;
  bool alike;
  const uint32_t links = count_links(in->platform, &alike);
  assert_int_equal(metrics_compute(&x, in->platform, &m, in->traffic, &e), OK);
  if (objective == OBJECTIVE_HOPBYTES)
    return x.hop_bytes;
  if (objective == OBJECTIVE_BLEND)
    return (swaps_value)x.max_link_load_bytes * 2 * links + 3 * (swaps_value)x.hop_bytes;
  if (objective == OBJECTIVE_RMATT)
    return sum_paths(in, host);
  uint64_t key = x.max_link_load_bytes;
  if (!alike)
    memcpy(&key, &x.max_link_load_s, sizeof key);
  uint8_t *cable = calloc(platform_link_ids(in->platform) + 1, 1);
  assert_non_null(cable);
  if (mark_cables(in, cable))
    key = fullest_between(in, host, cable);
  free(cable);
  return (swaps_value)key << 64 | x.hop_bytes;
}

static void check_value(struct swaps *s, const struct mapper_input *in, const char *what, int move)
{
  const swaps_value got = swaps_now(s), want = expected(in, s->objective, s->host);
  const struct mapping m = {.ranks = in->ranks, .host = s->host};
  struct err e;
  if (got != want)
    fail_msg("%s, objective %d, move %d: %zu %zu instead of %zu %zu", what, (int)s->objective, move,
             (size_t)(got >> 64), (size_t)got, (size_t)(want >> 64), (size_t)want);
  if (got < swaps_bound(s))
    fail_msg("%s, objective %d, move %d: below the bound", what, (int)s->objective, move);
  assert_int_equal(mapping_check(&m, in->platform, in->ranks_per_host, &e), OK);
  assert_int_equal(routes_check(s->routes, &e), OK);
  assert_int_equal(paths_check(s->paths, &e), OK);
}

static void start_in_order(const struct mapper_input *in, uint32_t *host)
{
  for (uint32_t r = 0; r < in->ranks; r++)
    host[r] = r / in->ranks_per_host;
}

static void move_at_random(const struct mapper_input *in, enum objective objective,
                           const char *what)
{
  struct swaps s;
  struct err e;
  struct rng r = rng_new(objective, in->ranks);
  uint32_t *host = calloc(in->ranks, sizeof *host);
  assert_non_null(host);
  start_in_order(in, host);
  if (swaps_new(&s, in, objective, host, &e) != OK)
    fail_msg("%s: %s", what, e.text);
  for (int i = 0; i < MOVES; i++) {
    if (i % CHECKED == 0)
      check_value(&s, in, what, i);
    swaps_try(&s, (uint32_t)rng_below(&r, s.ranks), (uint32_t)rng_below(&r, s.slots));
    if (rng_below(&r, 3) == 0)
      swaps_drop(&s);
    else
      swaps_take(&s);
    if (i % 100 == 50)
      swaps_refresh(&s, i / (double)MOVES);
  }
  check_value(&s, in, what, MOVES);
  swaps_clear(&s);
  free(host);
}

static void values_agree_with_the_metrics(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(CASE); i++)
    for (uint32_t chance = 60; chance <= 600; chance += 540) {
      struct rng r = rng_new(i, chance);
      struct platform *p = opened_platform(CASE[i].spec);
      struct matrix m = merge_random_traffic(&r, CASE[i].ranks, chance);
      const struct mapper_input in = {
          .platform = p, .traffic = &m, .ranks = CASE[i].ranks, .ranks_per_host = CASE[i].per_host};
      for (int k = OBJECTIVE_HOPBYTES; k <= OBJECTIVE_RMATT; k++)
        if (k != OBJECTIVE_TIME) /* test_timing.c */
          move_at_random(&in, (enum objective)k, CASE[i].spec);
      matrix_clear(&m);
      platform_free(p);
    }
}

/* Changes of hop-bytes and of the sum of RMATT are exact. */
static void changes_agree_with_the_value(void **state)
{
  (void)state;
  static const enum objective EXACT[] = {OBJECTIVE_HOPBYTES, OBJECTIVE_RMATT};
  struct rng r = rng_new(5, 0);
  struct platform *p = opened_platform("torus:4x3x2");
  struct matrix m = merge_random_traffic(&r, 24, 200);
  const struct mapper_input in = {.platform = p, .traffic = &m, .ranks = 24, .ranks_per_host = 1};
  for (size_t k = 0; k < COUNT(EXACT); k++) {
    uint32_t host[24];
    struct swaps s;
    struct err e;
    start_in_order(&in, host);
    assert_int_equal(swaps_new(&s, &in, EXACT[k], host, &e), OK);
    for (int i = 0; i < 200; i++) {
      const int64_t before = (int64_t)swaps_now(&s);
      const double change =
          swaps_try(&s, (uint32_t)rng_below(&r, s.ranks), (uint32_t)rng_below(&r, s.slots));
      swaps_take(&s);
      assert_int_equal((int64_t)swaps_now(&s) - before, (int64_t)change);
    }
    swaps_clear(&s);
  }
  matrix_clear(&m);
  platform_free(p);
}

/* A ring of ranks in order on a ring of hosts reaches the bound; with two ranks swapped it does
 * not. */
static void bounds_are_reached(void **state)
{
  (void)state;
  struct matrix_entry entry[6];
  const struct matrix m = {.ranks = 6, .count = 6, .entry = entry};
  struct platform *p = opened_platform("torus:6");
  const struct mapper_input in = {.platform = p, .traffic = &m, .ranks = 6, .ranks_per_host = 1};
  for (uint32_t i = 0; i < 6; i++)
    entry[i] = (struct matrix_entry){i, (i + 1) % 6, 1, 70};
  for (int k = OBJECTIVE_HOPBYTES; k <= OBJECTIVE_BLEND; k++) {
    uint32_t host[6];
    struct swaps s;
    struct err e;
    start_in_order(&in, host);
    assert_int_equal(swaps_new(&s, &in, (enum objective)k, host, &e), OK);
    assert_true(swaps_now(&s) == swaps_bound(&s));
    swaps_try(&s, 0, 3);
    swaps_take(&s);
    assert_true(swaps_now(&s) > swaps_bound(&s));
    swaps_clear(&s);
  }
  platform_free(p);
}

static void bad_traffic_is_refused(void **state)
{
  (void)state;
  static struct matrix_entry foreign[] = {{0, 7, 1, 5}}, much[] = {{0, 1, 1, UINT64_C(1) << 62}},
                             most[] = {{0, 1, 1, UINT64_MAX}, {1, 0, 1, 1}};
  static const struct {
    struct matrix traffic;
    const char *why;
  } ROWS[] = {
      {{.ranks = 4, .count = 1, .entry = foreign},
       "traffic between ranks 0 and 7, but there are 4 ranks"},
      {{.ranks = 4, .count = 1, .entry = much},
       "torus:4: the hop-bytes reach 2^62 on routes of 2 hops"},
      {{.ranks = 4, .count = 2, .entry = most}, "the bytes of the traffic reach 2^64"},
  };
  struct platform *p = opened_platform("torus:4");
  const uint32_t host[] = {0, 1, 2, 3};
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    const struct mapper_input in = {
        .platform = p, .traffic = &ROWS[i].traffic, .ranks = 4, .ranks_per_host = 1};
    struct swaps s;
    struct err e;
    assert_int_equal(swaps_new(&s, &in, OBJECTIVE_LINKLOAD, host, &e), FAIL);
    assert_string_equal(e.text, ROWS[i].why);
  }
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_agree_with_the_metrics),
      cmocka_unit_test(changes_agree_with_the_value),
      cmocka_unit_test(bounds_are_reached),
      cmocka_unit_test(bad_traffic_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

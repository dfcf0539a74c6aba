/* The option refine= of mappers in the registry, and the mapper anneal. */
#include <stdio.h>
#include <string.h>

#include "mappers/metrics.h"
#include "mappers/refine/refine.h"
#include "tests/unit/mappers/mapped.h"
#include "tests/unit/mappers/merge.h"
#include "tests/unit/opened.h"

enum { RANKS = 24 };

static struct matrix traffic_of(uint64_t seed)
{
  struct rng r = rng_new(seed, 1);
  return merge_random_traffic(&r, RANKS, 150);
}

static struct metrics measure(const struct mapping *m, const struct platform *p,
                              const struct matrix *traffic)
{
  struct metrics x;
  struct err e;
  assert_int_equal(metrics_compute(&x, p, m, traffic, &e), OK);
  return x;
}

/* The value to minimise; for the blend see docs/fit.md. */
static double value_of(const char *objective, const struct metrics *x)
{
  if (strcmp(objective, "hopbytes") == 0)
    return (double)x->hop_bytes;
  if (strcmp(objective, "linkload") == 0)
    return x->max_link_load_s;
  return (double)x->max_link_load_bytes + 1.5 * x->mean_link_load_bytes;
}

static const char *const OBJECTIVE[] = {"hopbytes", "linkload", "blend"};

static void check_refined(const char *mapper, const struct platform *p, const struct matrix *m)
{
  const struct mapper_input in = {.platform = p, .traffic = m, .ranks = RANKS, .ranks_per_host = 2};
  struct mapping plain, refined;
  struct err e;
  if (mapper_run(mapper, &in, &plain, &e) != OK)
    fail_msg("%s: %s", mapper, e.text);
  const struct metrics before = measure(&plain, p, m);
  for (size_t i = 0; i < COUNT(OBJECTIVE); i++) {
    char spec[128];
    snprintf(spec, sizeof spec, "%s:refine=work:3000,refine-objective=%s", mapper, OBJECTIVE[i]);
    if (mapper_run(spec, &in, &refined, &e) != OK)
      fail_msg("%s: %s", spec, e.text);
    assert_int_equal(mapping_check(&refined, p, 2, &e), OK);
    const struct metrics after = measure(&refined, p, m);
    if (value_of(OBJECTIVE[i], &after) > value_of(OBJECTIVE[i], &before))
      fail_msg("%s on %s: %g is above %g, the value without refine=", spec, platform_name(p),
               value_of(OBJECTIVE[i], &after), value_of(OBJECTIVE[i], &before));
    if (strcmp(mapper, "random") == 0 &&
        value_of(OBJECTIVE[i], &after) > 0.9 * value_of(OBJECTIVE[i], &before))
      fail_msg("%s on %s: %g is not 10 %% below %g", spec, platform_name(p),
               value_of(OBJECTIVE[i], &after), value_of(OBJECTIVE[i], &before));
    mapping_clear(&refined);
  }
  mapping_clear(&plain);
}

static void refining_never_harms(void **state)
{
  (void)state;
  static const char *const PLATFORM[] = {"torus:4x3x2",
                                         "mesh:5x3",
                                         "hypercube:4",
                                         "fattree:k=4",
                                         "dragonfly:groups=3,chassis=2,routers=2,nodes=2",
                                         "random-clusters:hosts=24,sizes=8+16,seed=3"};
  static const char *const MAPPER[] = {"random", "xyz", "greedy", "auto"};
  for (size_t i = 0; i < COUNT(PLATFORM); i++) {
    struct matrix m = traffic_of(i);
    struct platform *p = opened_platform(PLATFORM[i]);
    for (size_t k = 0; k < COUNT(MAPPER); k++)
      check_refined(MAPPER[k], p, &m);
    matrix_clear(&m);
    platform_free(p);
  }
}

/* Each objective reaches the optimum of a small case from any start: for a ring of 8 ranks on a
 * ring of 8 hosts, each message has its own link. */
static void anneal_finds_the_optimum(void **state)
{
  (void)state;
  static const char *const SPEC[] = {
      "anneal",
      "anneal:objective=blend,start=random",
      "anneal:objective=hopbytes,start=random",
      "anneal:objective=rmatt,start=random",
      "anneal:start=bisect",
      "anneal:time=0.05",
      "anneal:restarts=3,start=random,work=2000",
      "random:refine=work:20000",
      "random:refine=0.05,refine-objective=linkload",
      "auto:objective=linkload,work=1000",
      "auto:objective=blend,time=0.02",
      "auto:objective=hopbytes,work=1000",
  };
  struct matrix_entry entry[8];
  const struct matrix m = {.ranks = 8, .count = 8, .entry = entry};
  struct platform *p = opened_platform("torus:8");
  for (uint32_t i = 0; i < 8; i++) /* a stride of 3, so that mapping in order is not optimal */
    entry[i] = (struct matrix_entry){i, (i + 3) % 8, 1, 100};
  for (size_t i = 0; i < COUNT(SPEC); i++) {
    struct mapping map = mapped_traffic(SPEC[i], p, &m, 1, 1);
    const struct metrics x = measure(&map, p, &m);
    if (x.hop_bytes != 800 || x.max_link_load_bytes != 100)
      fail_msg("%s: %zu hop-bytes, %zu on the fullest link", SPEC[i], (size_t)x.hop_bytes,
               (size_t)x.max_link_load_bytes);
    mapping_clear(&map);
  }
  platform_free(p);
}

static void threads_change_nothing(void **state)
{
  (void)state;
  static const char *const SPEC[] = {"anneal:restarts=3,start=random,work=500",
                                     "anneal:restarts=2,work=300,seed=9", "greedy:refine=work:700",
                                     "auto:objective=linkload,work=500"};
  struct platform *p = opened_platform("torus:5x5");
  struct matrix m = traffic_of(3);
  for (size_t i = 0; i < COUNT(SPEC); i++) {
    struct mapping one = mapped_traffic(SPEC[i], p, &m, 1, 1),
                   two = mapped_traffic(SPEC[i], p, &m, 1, 2);
    assert_memory_equal(one.host, two.host, RANKS * sizeof *one.host);
    mapping_clear(&one);
    mapping_clear(&two);
  }
  matrix_clear(&m);
  platform_free(p);
}

/* The seed of the mapper is the seed of the exchanges. */
static void seeds_change_the_search(void **state)
{
  (void)state;
  static const char *const SPEC[] = {"anneal:start=random,work=10,seed=%d",
                                     "bisect:refine=work:100,seed=%d"};
  struct platform *p = opened_platform("torus:6x5");
  struct matrix m = traffic_of(3);
  for (size_t i = 0; i < COUNT(SPEC); i++) {
    char a[64], b[64];
    snprintf(a, sizeof a, SPEC[i], 1);
    snprintf(b, sizeof b, SPEC[i], 2);
    struct mapping one = mapped_traffic(a, p, &m, 1, 1), two = mapped_traffic(b, p, &m, 1, 1);
    assert_memory_not_equal(one.host, two.host, RANKS * sizeof *one.host);
    mapping_clear(&one);
    mapping_clear(&two);
  }
  matrix_clear(&m);
  platform_free(p);
}

static void bad_options_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *spec, *why;
  } ROWS[] = {
      {"greedy:refine=x", "mapper 'greedy': refine: 'x' is not a number"},
      {"greedy:refine=-1", "mapper 'greedy': refine: -1 is outside 0..1e+06"},
      {"greedy:refine=0.0", "mapper 'greedy': refine: '0.0' is not above 0"},
      {"greedy:refine=work:0", "mapper 'greedy': refine: 'work:0' is not above 0"},
      {"greedy:refine=work:1e6", "mapper 'greedy': refine: '1e6' is not a whole number"},
      {"greedy:refine=1,refine-objective=rmatt", "mapper 'greedy': refine-objective: 'rmatt' is "
                                                 "none of hopbytes, linkload, blend, time"},
      {"greedy:refine-objective=linkload",
       "mapper 'greedy': refine-objective=linkload without refine="},
      {"random:refine=1,seed=x", "mapper 'random': seed: 'x' is not a whole number"},
      {"anneal:objective=x",
       "mapper 'anneal': objective: 'x' is none of hopbytes, linkload, blend, time, rmatt"},
      {"anneal:start=x", "mapper 'anneal': start: 'x' is none of auto, bisect, random"},
      {"anneal:work=1,time=1", "mapper 'anneal': work= and time=: give one of them"},
      {"anneal:restarts=0", "mapper 'anneal': restarts: 0 is below the minimum of 1"},
      {"anneal:seed=x", "mapper 'anneal': seed: 'x' is not a whole number"},
      {"auto:objective=rmatt",
       "mapper 'auto': objective: 'rmatt' is none of choose, hopbytes, linkload, blend, time"},
      {"auto:objective=hopbytes,work=1,time=1", "mapper 'auto': time= and work=: give one of them"},
      {"auto:work=x", "mapper 'auto': work: 'x' is not a whole number"},
  };
  struct platform *p = opened_platform("torus:5x5");
  struct matrix m = traffic_of(1);
  const struct mapper_input in = {
      .platform = p, .traffic = &m, .ranks = RANKS, .ranks_per_host = 1};
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    struct mapping map = {.ranks = 99};
    struct err e;
    assert_int_equal(mapper_run(ROWS[i].spec, &in, &map, &e), FAIL);
    assert_string_equal(e.text, ROWS[i].why);
    assert_int_equal(map.ranks, 99);
  }
  matrix_clear(&m);
  platform_free(p);
}

static void opaque_platforms_are_refused(void **state)
{
  (void)state;
  struct err e;
  const struct platform_host hosts[] = {{"a", 1, 1}, {"b", 1, 1}};
  const struct matrix none = {.ranks = 2};
  struct mapping map = {.ranks = 99};
  struct platform *p = opened_platform("tests/data/opaque.xml");
  assert_int_equal(platform_set_hosts(p, hosts, 2, &e), OK);
  const struct mapper_input in = {.platform = p, .traffic = &none, .ranks = 2, .ranks_per_host = 1};
  assert_int_equal(mapper_run("xyz:refine=1", &in, &map, &e), FAIL);
  assert_string_equal(e.text, "tests/data/opaque.xml: mapper 'xyz' with refine= needs known "
                              "routes, and the platform is opaque: only SimGrid knows its routes");
  assert_int_equal(map.ranks, 99);
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refining_never_harms),    cmocka_unit_test(anneal_finds_the_optimum),
      cmocka_unit_test(threads_change_nothing),  cmocka_unit_test(seeds_change_the_search),
      cmocka_unit_test(bad_options_are_refused), cmocka_unit_test(opaque_platforms_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

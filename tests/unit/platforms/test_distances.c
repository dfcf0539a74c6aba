#include "platforms/distances.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/opened.h"
#include "tests/unit/scratch.h"

static const char *const PLATFORMS[] = {
    "torus:4x3",
    "mesh:3x2x2",
    "fattree:down=3x4,up=1x2,cables=1x2",
    "dragonfly:groups=3,chassis=2,routers=3,nodes=2",
    "star:7,backbone=1MBps",
    "random-clusters:hosts=40,seed=3",
    "tests/data/zones.xml", /* a gateway among the hosts of a switch */
};

/* The value of a route by the definition of the measure. */
static double value_of(struct platform_finder *f, const struct platform *p,
                       enum distance_measure measure, uint32_t a, uint32_t b)
{
  struct platform_route r;
  struct err e;
  double least = INFINITY;
  assert_int_equal(platform_route(f, a, b, &r, &e), OK);
  for (uint32_t i = 0; i < r.links; i++)
    least = fmin(least, platform_link(p, r.link[i]).bandwidth);
  if (measure == DISTANCE_BANDWIDTH)
    return least;
  if (measure == DISTANCE_HOPS)
    return r.links;
  return r.latency_s + (measure == DISTANCE_NEAR ? r.links * 1e-15 : 0);
}

static void check_pair(struct distances *d, enum distance_measure measure, uint32_t a, uint32_t b,
                       const double way[2])
{
  double found, both;
  struct err e;
  assert_int_equal(distances_one_way(d, a, b, &found, &e), OK);
  assert_true(found == way[0]);
  assert_int_equal(distances_round_trip(d, a, b, &both, &e), OK);
  if (measure == DISTANCE_BANDWIDTH) {
    assert_true(both == fmin(way[0], way[1]));
    return;
  }
  assert_true(fabs(both - way[0] - way[1]) <= 1e-12 * both);
  const struct host_groups *g = distances_groups(d, &e);
  assert_true(fabs(distances_row(d, g->of[a], &e)[g->of[b]] - both / 2) <= 1e-12 * both);
  assert_true(fabs(distances_mean(d, a, b) - both / 2) <= 1e-12 * both);
}

static void check(const struct platform *p, enum distance_measure measure)
{
  struct platform_finder *f;
  struct distances *d;
  struct err e;
  assert_int_equal(platform_finder_new(&f, p, &e), OK);
  assert_int_equal(distances_new(&d, p, measure, &e), OK);
  assert_int_equal(distances_are_hops(d), measure == DISTANCE_HOPS);
  if (measure != DISTANCE_BANDWIDTH)
    assert_int_equal(distances_fill(d, &e), OK);
  for (uint32_t a = 0; a < platform_hosts(p); a++)
    for (uint32_t b = 0; b < platform_hosts(p); b++) {
      const double way[2] = {value_of(f, p, measure, a, b), value_of(f, p, measure, b, a)};
      if (a != b)
        check_pair(d, measure, a, b, way);
      else if (measure != DISTANCE_BANDWIDTH)
        assert_true(distances_mean(d, a, a) == 0);
    }
  distances_free(d);
  platform_finder_free(f);
}

static void distances_match_the_routes(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof PLATFORMS / sizeof *PLATFORMS; i++) {
    struct platform *p = opened_platform(PLATFORMS[i]);
    for (int m = DISTANCE_HOPS; m <= DISTANCE_BANDWIDTH; m++)
      check(p, (enum distance_measure)m);
    platform_free(p);
  }
  distances_free(NULL);
}

static void the_default_measure_depends_on_the_topology(void **state)
{
  (void)state;
  for (int topology = 0; topology < 2; topology++) {
    struct distances *d;
    struct err e;
    struct platform *p = opened_platform(topology ? "torus:4" : "random-clusters:hosts=40,seed=3");
    assert_int_equal(distances_new(&d, p, DISTANCE_USUAL, &e), OK);
    assert_int_equal(distances_are_hops(d), topology);
    distances_free(d);
    platform_free(p);
  }
}

/* Two hosts of a zone that declares no route. */
static void hosts_without_a_route(void **state)
{
  (void)state;
  struct platform *p =
      opened_xml("<platform version='4.1'><zone id='z' routing='Full'>"
                 "<host id='a' speed='1f'/><host id='b' speed='1f'/></zone></platform>");
  struct distances *d;
  struct err e;
  double x;
  assert_int_equal(distances_new(&d, p, DISTANCE_LATENCY, &e), OK);
  assert_int_equal(distances_one_way(d, 0, 1, &x, &e), FAIL);
  assert_int_equal(distances_fill(d, &e), FAIL);
  assert_null(distances_row(d, 0, &e));
  distances_free(d);
  assert_int_equal(distances_new(&d, p, DISTANCE_NEAR, &e), OK);
  assert_true(distances_row(d, 0, &e)[1] >= DBL_MAX);
  distances_free(d);
  platform_free(p);
}

/* The hosts of a switch of a fat tree are alike; all hosts of a star are. */
static void groups_list_their_hosts(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    uint32_t groups;
  } ROWS[] = {{"fattree:down=3x4,up=1x2,cables=1x2", 4}, {"star:7", 1}, {"torus:4x3", 12}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    struct host_groups g;
    struct err e;
    struct platform *p = opened_platform(ROWS[i].spec);
    assert_int_equal(host_groups_alike(&g, p, &e), OK);
    assert_int_equal(g.count, ROWS[i].groups);
    assert_int_equal(g.first[0], 0);
    assert_int_equal(g.first[g.count], g.hosts);
    for (uint32_t a = 0; a < g.count; a++) {
      uint32_t ends[2];
      for (uint32_t k = g.first[a]; k < g.first[a + 1]; k++)
        assert_true(g.of[g.member[k]] == a && (k == g.first[a] || g.member[k - 1] < g.member[k]));
      host_groups_ends(&g, a, a, ends);
      assert_int_equal(ends[0] == ends[1], g.first[a + 1] - g.first[a] == 1);
      assert_true(g.of[ends[0]] == a && g.of[ends[1]] == a);
    }
    host_groups_clear(&g);
    platform_free(p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_match_the_routes),
      cmocka_unit_test(the_default_measure_depends_on_the_topology),
      cmocka_unit_test(hosts_without_a_route),
      cmocka_unit_test(groups_list_their_hosts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Compares cached routes with the routes of the platform. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "platforms/platform.h"
#include "sim/flow/routes.h"
#include "tests/unit/opened.h"

struct fixture {
  struct platform *platform;
  struct platform_finder *finder;
  struct maxmin *maxmin;
  struct flow_routes *routes;
  uint32_t *number; /* number + 1 in the maxmin by link of the platform; 0: not used yet */
  uint32_t slow;    /* a link of the platform... */
  double slower_s;  /* ...and the increase of its latency in s */
};

static struct fixture begin(const char *spec)
{
  struct fixture f = {.platform = opened_platform(spec)};
  struct err e;
  assert_int_equal(platform_finder_new(&f.finder, f.platform, &e), OK);
  assert_int_equal(maxmin_new(&f.maxmin, &e), OK);
  assert_int_equal(flow_routes_new(&f.routes, f.platform, f.maxmin, &e), OK);
  f.number = calloc(platform_link_ids(f.platform), sizeof *f.number);
  assert_non_null(f.number);
  return f;
}

static void finish(struct fixture *f)
{
  free(f->number);
  flow_routes_free(f->routes);
  maxmin_free(f->maxmin);
  platform_finder_free(f->finder);
  platform_free(f->platform);
}

static void check(struct fixture *f, uint32_t src, uint32_t dst)
{
  struct platform_route want;
  struct flow_route got;
  struct err e;
  assert_int_equal(platform_route(f->finder, src, dst, &want, &e), OK);
  assert_int_equal(flow_routes_find(f->routes, src, dst, &got, &e), OK);
  assert_int_equal(got.links, want.links);
  for (uint32_t i = 0; i < want.links; i++) {
    uint32_t *number = &f->number[want.link[i]];
    if (*number == 0)
      *number = got.link[i] + 1;
    assert_int_equal(got.link[i] + 1, *number);
    want.latency_s += want.link[i] == f->slow ? f->slower_s : 0;
  }
  assert_true(got.latency_s == want.latency_s);
}

static void check_all(struct fixture *f)
{
  const uint32_t hosts = platform_hosts(f->platform);
  for (uint32_t src = 0; src < hosts; src++)
    for (uint32_t dst = 0; dst < hosts; dst++)
      check(f, src, dst);
}

/* Many more pairs than the cache holds: misses, until the cache is dropped. */
static void all_pairs_have_their_routes(void **state)
{
  (void)state;
  static const char *const SPECS[] = {"torus:4x4x4", "hypercube:5", "fattree:k=4", "star:3",
                                      "mesh:40"};
  for (size_t i = 0; i < sizeof SPECS / sizeof *SPECS; i++) {
    struct fixture f = begin(SPECS[i]);
    for (int pass = 0; pass < 3; pass++)
      check_all(&f);
    finish(&f);
  }
}

/* Pairs that occur repeatedly, with other pairs in between. */
static void cached_routes_equal_the_routes(void **state)
{
  (void)state;
  struct fixture f = begin("torus:4x4x4");
  for (uint32_t i = 0; i < 4000; i++) {
    check(&f, i % 64, (i % 64 + 1) % 64);
    check(&f, i % 64, i % 64);
    if (i % 8 == 0)
      check(&f, i % 64, i / 64 * 7 % 64);
  }
  finish(&f);
}

/* With more hosts than slots, routes to the same host share slots. */
static void sources_are_distinguished(void **state)
{
  (void)state;
  struct fixture f = begin("hypercube:17");
  for (uint32_t i = 0; i < 4; i++)
    check(&f, i << 15, 5);
  for (uint32_t i = 0; i < 4; i++)
    check(&f, i << 15, 5);
  finish(&f);
}

/* A changed latency applies to all routes over the link from then on. */
static void changed_latencies_apply_to_cached_routes(void **state)
{
  (void)state;
  struct fixture f = begin("torus:4x4x4");
  struct platform_route route;
  struct err e;
  double before;
  check(&f, 0, 1);
  check(&f, 0, 1);
  assert_int_equal(platform_route(f.finder, 0, 1, &route, &e), OK);
  f.slow = route.link[0];
  const double latency = platform_link(f.platform, f.slow).latency_s;
  f.slower_s = 3 * latency;
  assert_int_equal(flow_routes_set_latency(f.routes, f.slow, 4 * latency, &before, &e), OK);
  assert_true(before == latency);
  check(&f, 0, 1);
  check_all(&f);
  finish(&f);
}

int main(void)
{
  static const struct CMUnitTest TESTS[] = {
      cmocka_unit_test(all_pairs_have_their_routes),
      cmocka_unit_test(cached_routes_equal_the_routes),
      cmocka_unit_test(sources_are_distinguished),
      cmocka_unit_test(changed_latencies_apply_to_cached_routes),
  };
  return cmocka_run_group_tests(TESTS, NULL, NULL);
}

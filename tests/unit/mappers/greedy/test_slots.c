#include "mappers/greedy/slots.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/numeric/rng.h"
#include "tests/unit/opened.h"

enum { MOST_HOSTS = 128, PER_HOST = 2 };

struct pull {
  uint32_t host;
  uint64_t weight;
};

static double one_way(struct platform_finder *f, const struct platform *p, uint32_t a, uint32_t b)
{
  struct platform_route r;
  struct err e;
  assert_int_equal(platform_route(f, a, b, &r, &e), OK);
  return strncmp(topology_spec(platform_topology(p)), "torus", 5) == 0
             ? r.links
             : r.latency_s + r.links * 1e-15;
}

/* Hops on grids.  On other platforms latency, with hops as tie-breaker, as in slots.h. */
static double distance(struct platform_finder *f, const struct platform *p, uint32_t a, uint32_t b)
{
  return a == b ? 0 : (one_way(f, p, a, b) + one_way(f, p, b, a)) / 2;
}

static uint32_t best_host(struct platform_finder *f, const struct platform *p, const uint32_t *used,
                          const struct pull *pull, size_t pulls)
{
  uint32_t best = UINT32_MAX;
  double least = DBL_MAX;
  for (uint32_t h = 0; h < platform_hosts(p); h++) {
    double cost = 0;
    for (size_t i = 0; i < pulls; i++)
      cost += (double)pull[i].weight * distance(f, p, h, pull[i].host);
    if (used[h] < PER_HOST && (best == UINT32_MAX || cost < least)) {
      best = h;
      least = cost;
    }
  }
  return best;
}

/* Each slot taken is on the first of the nearest hosts, found by searching all hosts. */
static void the_nearest_slot_is_taken(void **state)
{
  (void)state;
  static const char *const SPECS[] = {"torus:4x3",
                                      "fattree:k=4",
                                      "fattree:down=3x4,up=1x2,cables=1x2",
                                      "dragonfly:groups=3,chassis=2,routers=3,nodes=2",
                                      "star:7",
                                      "star:1"};
  struct rng random = rng_new(5, 0);
  for (size_t i = 0; i < COUNT(SPECS); i++) {
    struct platform_finder *f;
    struct slots *s;
    struct err e;
    uint32_t used[MOST_HOSTS] = {0};
    struct platform *p = opened_platform(SPECS[i]);
    assert_int_equal(platform_finder_new(&f, p, &e), OK);
    assert_int_equal(slots_new(&s, p, PER_HOST, &e), OK);
    for (uint32_t n = 0; n < PER_HOST * platform_hosts(p); n++) {
      struct pull pull[4];
      const size_t pulls = (size_t)rng_below(&random, COUNT(pull) + 1);
      for (size_t k = 0; k < pulls; k++) {
        pull[k] = (struct pull){(uint32_t)rng_below(&random, platform_hosts(p)),
                                (uint64_t)1 << rng_below(&random, 20)};
        assert_int_equal(slots_pull(s, pull[k].host, pull[k].weight, &e), OK);
      }
      const uint32_t host = slots_take(s);
      if (host != best_host(f, p, used, pull, pulls))
        fail_msg("%s: slot %u is on host %u, not %u", SPECS[i], n, host,
                 best_host(f, p, used, pull, pulls));
      used[host]++;
    }
    slots_free(s);
    platform_finder_free(f);
    platform_free(p);
  }
  slots_free(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_nearest_slot_is_taken)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

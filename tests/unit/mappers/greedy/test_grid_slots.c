#include "mappers/greedy/grid_slots.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/numeric/rng.h"
#include "tests/unit/count.h"

enum { MOST_HOSTS = 128, MOST_PULLS = 6 };

struct pull {
  uint32_t host;
  uint64_t weight;
};

/* The definition: searches all hosts with free slots in order. */
static uint32_t take_by_search(const struct topology *t, uint32_t *used, uint32_t per_host,
                               const struct pull *pull, size_t pulls)
{
  uint32_t best = UINT32_MAX;
  uint64_t best_cost = 0;
  for (uint32_t h = 0; h < topology_hosts(t); h++) {
    uint64_t cost = 0;
    for (size_t i = 0; i < pulls; i++)
      cost += pull[i].weight * topology_hops(t, h, pull[i].host);
    if (used[h] < per_host && (best == UINT32_MAX || cost < best_cost)) {
      best = h;
      best_cost = cost;
    }
  }
  used[best]++;
  return best;
}

static struct topology *must_build(const char *spec)
{
  struct topology *t = NULL;
  struct err e;
  assert_int_equal(topology_new(&t, spec, &e), OK);
  return t;
}

/* Takes all slots, with random pulls of few different weights, so that many ties occur. */
static void check_against_search(const char *spec, uint32_t per_host, uint64_t seed)
{
  struct topology *t = must_build(spec);
  struct rng rng = rng_new(seed, 0);
  struct grid_slots *s = NULL;
  struct err e;
  uint32_t used[MOST_HOSTS] = {0};
  const uint32_t hosts = topology_hosts(t);
  assert_true(hosts <= MOST_HOSTS);
  assert_int_equal(grid_slots_new(&s, t, per_host, &e), OK);
  for (uint32_t i = 0; i < hosts * per_host; i++) {
    struct pull pull[MOST_PULLS];
    const size_t pulls = rng_below(&rng, MOST_PULLS + 1);
    for (size_t j = 0; j < pulls; j++) {
      pull[j] = (struct pull){(uint32_t)rng_below(&rng, hosts), rng_below(&rng, 4)};
      grid_slots_pull(s, pull[j].host, pull[j].weight);
    }
    assert_int_equal(grid_slots_take(s), take_by_search(t, used, per_host, pull, pulls));
  }
  grid_slots_free(s);
  topology_free(t);
}

static void the_nearest_free_host_agrees_with_a_full_search(void **state)
{
  (void)state;
  static const char *const specs[] = {
      "torus:1",     "torus:2",     "torus:7",       "torus:16",    "torus:4x4",   "torus:5x3x2",
      "torus:3x1x7", "torus:4x4x4", "torus:2x3x4x5", "mesh:11",     "mesh:6x5",    "mesh:4x4x4",
      "mesh:1x9",    "mesh:3x2x5",  "hypercube:1",   "hypercube:5", "hypercube:7",
  };
  for (size_t i = 0; i < COUNT(specs); i++)
    for (uint64_t seed = 0; seed < 6; seed++)
      check_against_search(specs[i], 1 + (uint32_t)seed % 3, seed);
}

static void without_pulls_hosts_fill_in_order(void **state)
{
  (void)state;
  struct topology *t = must_build("torus:3x2x2");
  struct grid_slots *s = NULL;
  struct err e;
  assert_int_equal(grid_slots_new(&s, t, 2, &e), OK);
  for (uint32_t i = 0; i < 24; i++)
    assert_int_equal(grid_slots_take(s), i / 2);
  grid_slots_free(s);
  grid_slots_free(NULL);
  topology_free(t);
}

static void large_weights_are_exact(void **state)
{
  (void)state;
  struct topology *t = must_build("mesh:5");
  struct grid_slots *s = NULL;
  struct err e;
  assert_int_equal(grid_slots_new(&s, t, 1, &e), OK);
  grid_slots_pull(s, 0, UINT64_MAX / 8);
  grid_slots_pull(s, 4, UINT64_MAX / 8 + 1);
  assert_int_equal(grid_slots_take(s), 4);
  grid_slots_free(s);
  topology_free(t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_nearest_free_host_agrees_with_a_full_search),
      cmocka_unit_test(without_pulls_hosts_fill_in_order),
      cmocka_unit_test(large_weights_are_exact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

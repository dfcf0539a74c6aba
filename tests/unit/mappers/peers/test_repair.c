#include "mappers/peers/repair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "common/numeric/rng.h"
#include "tests/unit/opened.h"

enum { MOST = 16 };

struct example {
  const char *platform;
  uint32_t ranks, per_host;
  uint32_t before[MOST], after[MOST];
  uint32_t moved;
};

static const struct example EXAMPLES[] = {
    /* nothing to do, also with empty hosts */
    {"torus:4", 3, 1, {3, 1, 0}, {3, 1, 0}, 0},
    {"torus:4", 4, 2, {1, 1, 3, 3}, {1, 1, 3, 3}, 0},
    /* the highest rank moves to the nearest host, ties to the lower host */
    {"torus:8", 2, 1, {4, 4}, {4, 3}, 1},
    {"mesh:8", 3, 1, {7, 7, 6}, {7, 5, 6}, 1},
    /* the highest rank moves first; ranks within the limit do not move */
    {"mesh:4", 4, 1, {0, 0, 0, 1}, {0, 3, 2, 1}, 2},
    {"mesh:4", 6, 2, {0, 0, 0, 0, 0, 1}, {0, 0, 2, 2, 1, 1}, 3},
    /* all ranks on one host */
    {"hypercube:2", 4, 1, {3, 3, 3, 3}, {3, 0, 2, 1}, 3},
    /* distance by latency: hosts of the same switch first */
    {"fattree:k=4", 2, 1, {3, 3}, {3, 2}, 1},
};

static void too_many_ranks_move_to_the_nearest_free_hosts(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(EXAMPLES); i++) {
    const struct example *x = &EXAMPLES[i];
    struct platform *p = opened_platform(x->platform);
    const struct mapper_input in = {
        .platform = p, .ranks = x->ranks, .ranks_per_host = x->per_host};
    struct mapping m;
    uint32_t moved = UINT32_MAX;
    struct err e;
    assert_int_equal(mapping_new(&m, x->ranks, &e), OK);
    for (uint32_t r = 0; r < x->ranks; r++)
      m.host[r] = x->before[r];
    assert_int_equal(repair_mapping(&m, &in, &moved, &e), OK);
    for (uint32_t r = 0; r < x->ranks; r++)
      if (m.host[r] != x->after[r])
        fail_msg("example %zu: rank %u is on host %u, not %u", i, r, m.host[r], x->after[r]);
    assert_int_equal(moved, x->moved);
    mapping_clear(&m);
    platform_free(p);
  }
}

/* Any mapping becomes valid, with the least number of moved ranks. */
static void any_mapping_becomes_valid(void **state)
{
  (void)state;
  static const char *const PLATFORMS[] = {"torus:5x3", "hypercube:4", "fattree:k=4",
                                          "dragonfly:groups=2,chassis=2,routers=2,nodes=2"};
  for (uint64_t seed = 0; seed < 200; seed++) {
    struct rng rng = rng_new(seed, 0);
    struct platform *p = opened_platform(PLATFORMS[seed % COUNT(PLATFORMS)]);
    const uint32_t hosts = platform_hosts(p), each = 1 + (uint32_t)rng_below(&rng, 3);
    const uint32_t ranks = 1 + (uint32_t)rng_below(&rng, (uint64_t)hosts * each);
    const struct mapper_input in = {.platform = p, .ranks = ranks, .ranks_per_host = each};
    uint32_t *load = calloc(hosts, sizeof *load), surplus = 0, moved, changed = 0;
    struct mapping m, before;
    struct err e;
    assert_int_equal(mapping_new(&m, ranks, &e), OK);
    assert_int_equal(mapping_new(&before, ranks, &e), OK);
    for (uint32_t r = 0; r < ranks; r++) {
      before.host[r] = m.host[r] = (uint32_t)rng_below(&rng, 1 + rng_below(&rng, hosts));
      surplus += load[m.host[r]]++ >= each;
    }
    assert_int_equal(repair_mapping(&m, &in, &moved, &e), OK);
    if (mapping_check(&m, p, each, &e) != OK)
      fail_msg("seed %lu: %s", (unsigned long)seed, e.text);
    for (uint32_t r = 0; r < ranks; r++)
      changed += m.host[r] != before.host[r];
    assert_int_equal(moved, surplus);
    assert_int_equal(changed, surplus);
    free(load);
    mapping_clear(&m);
    mapping_clear(&before);
    platform_free(p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(too_many_ranks_move_to_the_nearest_free_hosts),
      cmocka_unit_test(any_mapping_becomes_valid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

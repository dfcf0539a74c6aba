/* Compares auto with xyz and greedy by the hop-bytes of the metrics. */
#include <stdio.h>

#include "mappers/mapper.h"
#include "mappers/metrics.h"
#include "tests/unit/mappers/general/graphs.h"

static const char *const PLATFORMS[] = {
    "torus:4x4x4",
    "mesh:3x5x2",
    "hypercube:5",
    "fattree:k=4",
    "dragonfly:groups=3,chassis=2,routers=2,nodes=2",
    "torus:12",
    "torus:2x6",
    "fattree:k=6",
    "star:20",
};

static uint64_t hop_bytes(const char *mapper, const struct mapper_input *in)
{
  struct mapping map;
  struct metrics found;
  struct err e;
  if (mapper_run(mapper, in, &map, &e) != OK)
    fail_msg("%s: %s", mapper, e.text);
  assert_int_equal(metrics_compute(&found, in->platform, &map, in->traffic, &e), OK);
  mapping_clear(&map);
  return found.hop_bytes;
}

static int64_t gain(const struct mapper_input *in, const char *rival, const char *what)
{
  const uint64_t mine = hop_bytes("auto:choose=hopbytes,effort=0.01", in),
                 other = hop_bytes(rival, in);
  if (mine > other)
    fail_msg("%s: hop-bytes %ju of auto, %ju of %s", what, (uintmax_t)mine, (uintmax_t)other,
             rival);
  return (int64_t)(other - mine);
}

/* Pairs in one or both directions, between near or any ranks, with bytes of very different
 * magnitude: some are too small to be distinguished in weights of 32 bits. */
static struct matrix random_traffic(struct rng *r, uint32_t ranks, uint64_t seed)
{
  struct edges x = {.n = ranks};
  for (uint32_t v = 0; v < ranks; v++)
    for (uint32_t d = 1; d < ranks; d++) {
      const bool near = d <= 2 || d + 2 >= ranks;
      if (rng_below(r, near ? 2 : 12) != 0)
        continue;
      const uint64_t bytes =
          seed % 3 == 0 ? 1 + rng_below(r, 3) : rng_next(r) >> (24 + rng_below(r, 40));
      edges_add(&x, v, (v + d) % ranks, bytes);
    }
  x.m.ranks = ranks;
  if (x.m.count > 0)
    qsort(x.m.entry, x.m.count, sizeof *x.m.entry, edges_compare);
  return x.m;
}

static void auto_is_never_worse(void **state)
{
  int64_t gains = 0;
  (void)state;
  for (uint64_t seed = 0; seed < 20 * COUNT(PLATFORMS); seed++) {
    const char *spec = PLATFORMS[seed % COUNT(PLATFORMS)];
    struct rng r = rng_new(seed, 3);
    struct platform *p = opened_platform(spec);
    const uint32_t per_host = 1 + (uint32_t)rng_below(&r, 4) / 2;
    const uint32_t slots = platform_hosts(p) * per_host;
    const uint32_t ranks = seed % 2 == 0 ? slots : 1 + (uint32_t)rng_below(&r, slots);
    struct matrix m = random_traffic(&r, ranks, seed);
    const struct mapper_input in = {
        .platform = p, .traffic = &m, .ranks = ranks, .ranks_per_host = per_host};
    char what[128];
    snprintf(what, sizeof what, "seed %ju, %u ranks, %u a host, on %s", (uintmax_t)seed, ranks,
             per_host, spec);
    gains += gain(&in, "xyz", what) > 0;
    gains += gain(&in, "greedy", what) > 0;
    matrix_clear(&m);
    platform_free(p);
  }
  assert_true(gains > 100);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(auto_is_never_worse)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

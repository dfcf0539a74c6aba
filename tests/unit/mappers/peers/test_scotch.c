#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/numeric/rng.h"
#include "mappers/mapper.h"
#include "mappers/metrics.h"
#include "tests/unit/mappers/mapped.h"
#include "tests/unit/opened.h"
#include "traces/matrix/spec.h"

static struct matrix must_make(const char *spec)
{
  struct matrix m;
  struct err e;
  if (matrix_spec_make(&m, spec, &e) != OK)
    fail_msg("%s", e.text);
  return m;
}

/* Without Scotch, haichi reports that it is not built in, and the tests are skipped. */
static bool is_built_in(void)
{
  const struct mapper *row;
  struct err e;
  assert_int_equal(mapper_find("scotch", &row, NULL, &e), OK);
  return strncmp(row->help, "not built in", 12) != 0;
}

static uint64_t hop_bytes(const struct mapping *m, const struct mapper_input *in)
{
  struct metrics x;
  struct err e;
  assert_int_equal(metrics_compute(&x, in->platform, m, in->traffic, &e), OK);
  return x.hop_bytes;
}

static uint64_t hop_bytes_of(const char *spec, const struct mapper_input *in)
{
  struct mapping m = mapped(spec, in);
  const uint64_t hops = hop_bytes(&m, in);
  mapping_clear(&m);
  return hops;
}

static void without_scotch_the_mapper_is_refused(void **state)
{
  (void)state;
  if (is_built_in())
    skip();
  struct platform *p = opened_platform("torus:4");
  struct matrix t = must_make("grid:4");
  const struct mapper_input in = {.platform = p, .traffic = &t, .ranks = 4, .ranks_per_host = 1};
  struct mapping m;
  struct err e;
  assert_int_equal(mapper_run("scotch", &in, &m, &e), FAIL);
  assert_string_equal(
      e.text, "mapper 'scotch' is not built in: install libscotch-dev and build haichi again");
  matrix_clear(&t);
  platform_free(p);
}

/* The sides differ.  If the hosts were numbered in another order, for example Z fastest, the
 * hop-bytes would be as for a random mapping. */
static void the_shape_of_each_platform_is_used(void **state)
{
  (void)state;
  static const struct {
    const char *platform, *traffic;
    double most; /* as a share of the hop-bytes of random mappings */
  } CASES[] = {
      {"torus:16x8x2", "grid:16x8x2", 0.45},
      {"mesh:2x8x16", "grid:2x8x16", 0.4},
      {"torus:1x64x4", "grid:64x4", 0.25},
      {"hypercube:8", "grid:16x16", 0.35},
      {"torus:2x2x2x2x2x4x2", "grid:16x16", 0.4}, /* too many dimensions for a torus of Scotch */
      {"mesh:3x2x2x2x2x3", "grid:12x12", 0.45},
      {"fattree:down=4x8x4,up=1x2x2,cables=1x1x1", "grid:16x8", 0.8},
      {"dragonfly:groups=4,chassis=4,routers=4,nodes=4", "grid:16x16", 0.8},
      {"star:64", "grid:8x8", 1.001},
  };
  if (!is_built_in())
    skip();
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct platform *p = opened_platform(CASES[i].platform);
    struct matrix t = must_make(CASES[i].traffic);
    const struct mapper_input in = {
        .platform = p, .traffic = &t, .ranks = t.ranks, .ranks_per_host = 1};
    uint64_t random = 0;
    for (int seed = 1; seed <= 5; seed++) {
      char spec[32];
      snprintf(spec, sizeof spec, "random:seed=%d", seed);
      random += hop_bytes_of(spec, &in) / 5;
    }
    const double share = (double)hop_bytes_of("scotch", &in) / (double)random;
    if (share > CASES[i].most)
      fail_msg("%s on %s: %.3f of the random hop-bytes, above %.3f", CASES[i].traffic,
               CASES[i].platform, share, CASES[i].most);
    matrix_clear(&t);
    platform_free(p);
  }
}

/* Two clusters of different size, far from each other, and two groups of ranks of the same sizes
 * without traffic between them: each group gets a cluster. */
static void clusters_are_separated(void **state)
{
  (void)state;
  if (!is_built_in())
    skip();
  struct err e;
  struct platform *p = opened_platform("random-clusters:hosts=48,sizes=16+32,seed=1");
  struct matrix t = {.ranks = 48, .entry = calloc(48 * 48, sizeof *t.entry)};
  for (uint32_t a = 0; a < 48; a++)
    for (uint32_t b = 0; b < 48; b++)
      if (a != b && (a % 3 == 0) == (b % 3 == 0))
        t.entry[t.count++] = (struct matrix_entry){a, b, 1, 1000};
  const struct mapper_input in = {.platform = p, .traffic = &t, .ranks = 48, .ranks_per_host = 1};
  struct mapping m = mapped("scotch:strategy=quality", &in);
  struct metrics scotch, random;
  assert_int_equal(metrics_compute(&scotch, p, &m, &t, &e), OK);
  mapping_clear(&m);
  m = mapped("random", &in);
  assert_int_equal(metrics_compute(&random, p, &m, &t, &e), OK);
  assert_true(scotch.mean_latency_s < 0.7 * random.mean_latency_s);
  mapping_clear(&m);
  matrix_clear(&t);
  platform_free(p);
}

static void equal_input_gives_equal_mappings(void **state)
{
  (void)state;
  if (!is_built_in())
    skip();
  struct platform *p = opened_platform("torus:8x8");
  struct matrix t = must_make("dense:60:seed=4");
  struct mapper_input in = {.platform = p, .traffic = &t, .ranks = 60, .ranks_per_host = 1};
  struct mapping a = mapped("scotch:seed=5", &in), other = mapped("scotch:seed=6", &in);
  in.threads = 2;
  struct mapping b = mapped("scotch:seed=5,strategy=default", &in);
  assert_memory_equal(a.host, b.host, 60 * sizeof *a.host);
  assert_memory_not_equal(a.host, other.host, 60 * sizeof *a.host);
  mapping_clear(&a);
  mapping_clear(&b);
  mapping_clear(&other);
  matrix_clear(&t);
  platform_free(p);
}

/* Random traffic, hosts and ranks, with several ranks per host, isolated ranks, one rank, one
 * host. */
static void any_input_gives_a_valid_mapping(void **state)
{
  (void)state;
  static const char *const PLATFORMS[] = {"torus:1",
                                          "torus:2",
                                          "torus:4x3",
                                          "mesh:7",
                                          "star:5",
                                          "hypercube:3",
                                          "fattree:k=2",
                                          "fattree:k=4",
                                          "dragonfly:groups=2,chassis=2,routers=2,nodes=2",
                                          "torus:2x3x2x1x2x2x2"};
  static const char *const SPECS[] = {"scotch", "scotch:strategy=quality", "scotch:strategy=speed",
                                      "scotch:strategy=balance,imbalance=0",
                                      "scotch:strategy=quality-balance,imbalance=2"};
  if (!is_built_in())
    skip();
  for (uint64_t seed = 0; seed < 300; seed++) {
    struct rng rng = rng_new(seed, 0);
    struct platform *p = opened_platform(PLATFORMS[seed % COUNT(PLATFORMS)]);
    const uint32_t each = 1 + (uint32_t)rng_below(&rng, 2);
    const uint32_t ranks = 1 + (uint32_t)rng_below(&rng, (uint64_t)platform_hosts(p) * each);
    const uint64_t most = rng_below(&rng, 2) == 0 ? 4 : INT64_MAX / 16384;
    const uint64_t density = rng_below(&rng, 100);
    struct matrix t = {.ranks = ranks, .entry = calloc((size_t)ranks * ranks, sizeof *t.entry)};
    for (uint32_t a = 0; a < ranks; a++)
      for (uint32_t b = 0; b < ranks; b++)
        if (rng_below(&rng, 100) < density)
          t.entry[t.count++] = (struct matrix_entry){a, b, 1, rng_below(&rng, most)};
    uint32_t moved = UINT32_MAX;
    const struct mapper_input in = {
        .platform = p, .traffic = &t, .ranks = ranks, .ranks_per_host = each, .moved = &moved};
    struct mapping m = mapped(SPECS[rng_below(&rng, COUNT(SPECS))], &in);
    assert_true(moved <= ranks);
    mapping_clear(&m);
    matrix_clear(&t);
    platform_free(p);
  }
}

static void refusals(void **state)
{
  (void)state;
  static const struct {
    const char *spec, *platform, *error;
  } CASES[] = {
      {"scotch:strategy=best", "torus:4",
       "mapper 'scotch': strategy: 'best' is none of default, quality, balance, quality-balance, "
       "speed"},
      {"scotch:seed=2147483648", "torus:4",
       "mapper 'scotch': seed: 2147483648 is above the maximum of 2147483647"},
      {"scotch:imbalance=-1", "torus:4", "mapper 'scotch': imbalance: -1 is outside 0..10"},
      {"scotch", "dragonfly:groups=30,chassis=10,routers=30,nodes=1",
       "mapper 'scotch': Scotch's table of distances between 9000 hosts: at most 8192 are "
       "supported"},
  };
  if (!is_built_in())
    skip();
  struct matrix t = must_make("grid:4");
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct platform *p = opened_platform(CASES[i].platform);
    const struct mapper_input in = {.platform = p, .traffic = &t, .ranks = 4, .ranks_per_host = 1};
    struct mapping m;
    struct err e;
    assert_int_equal(mapper_run(CASES[i].spec, &in, &m, &e), FAIL);
    assert_string_equal(e.text, CASES[i].error);
    platform_free(p);
  }
  matrix_clear(&t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_scotch_the_mapper_is_refused),
      cmocka_unit_test(the_shape_of_each_platform_is_used),
      cmocka_unit_test(clusters_are_separated),
      cmocka_unit_test(equal_input_gives_equal_mappings),
      cmocka_unit_test(any_input_gives_a_valid_mapping),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

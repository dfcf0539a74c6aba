#include "tests/unit/mappers/hcube.h"

#include <stdio.h>
#include <string.h>

/* Graphs that a hypercube contains completely, except for one arc of a tree. */
static const struct shape {
  const char *platform;
  uint32_t x, y, z; /* y = z = 1: a ring of x tasks; x = 0: a tree of 2^n - 1 tasks */
} SHAPE[] = {
    {"hypercube:4", 16, 1, 1},   {"hypercube:8", 256, 1, 1}, {"hypercube:10", 1024, 1, 1},
    {"hypercube:4", 4, 4, 1},    {"hypercube:5", 16, 2, 1},  {"hypercube:7", 8, 16, 1},
    {"hypercube:10", 32, 32, 1}, {"hypercube:4", 4, 2, 2},   {"hypercube:6", 4, 4, 4},
    {"hypercube:9", 8, 8, 8},    {"hypercube:4", 0, 1, 1},   {"hypercube:5", 0, 1, 1},
    {"hypercube:6", 0, 1, 1},
};

static struct matrix shuffled(const struct shape *s, const struct platform *p, uint64_t seed)
{
  if (s->x == 0)
    return hcube_tree(platform_hosts(p) - 1, seed);
  return hcube_grid(s->x, s->y, s->z, s->y * s->z == 1, seed);
}

static void search_reaches_98_percent(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(SHAPE); i++) {
    struct platform *p = opened_platform(SHAPE[i].platform);
    for (uint64_t seed = 1; seed <= (SHAPE[i].x == 0 ? 1 : 4); seed++) {
      struct matrix m = shuffled(&SHAPE[i], p, seed);
      const uint64_t best = m.count - (SHAPE[i].x == 0);
      const struct metrics got = hcube_score("hcube", p, &m);
      if (got.cardinality * 100 < best * 98)
        fail_msg("%s, %u x %u x %u, labels %u: cardinality %u of %u", SHAPE[i].platform, SHAPE[i].x,
                 SHAPE[i].y, SHAPE[i].z, (unsigned)seed, (unsigned)got.cardinality, (unsigned)best);
      matrix_clear(&m);
    }
    platform_free(p);
  }
}

static void the_paper_s_ties_hold_rings_whole(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(SHAPE) && SHAPE[i].y * SHAPE[i].z == 1 && SHAPE[i].x > 0; i++) {
    struct platform *p = opened_platform(SHAPE[i].platform);
    for (uint64_t seed = 1; seed <= 20; seed++) {
      struct matrix m = shuffled(&SHAPE[i], p, seed);
      assert_int_equal(hcube_score("hcube:ties=paper", p, &m).cardinality, m.count);
      matrix_clear(&m);
    }
    platform_free(p);
  }
}

/* Each direction of a pair has 0 to @p most bytes with probability chance / 1000. */
static struct matrix random_traffic(struct rng *r, uint32_t ranks, uint32_t chance, uint64_t most)
{
  struct matrix m = {.ranks = ranks};
  m.entry = calloc((size_t)ranks * ranks, sizeof *m.entry);
  assert_non_null(m.entry);
  for (uint32_t src = 0; src < ranks; src++)
    for (uint32_t dst = 0; dst < ranks; dst++)
      if (rng_below(r, 1000) < chance)
        m.entry[m.count++] = (struct matrix_entry){src, dst, 1, rng_below(r, most + 1)};
  return m;
}

/* The largest cardinality, least hop-bytes and least maximal dilation of all 8! mappings. */
static void look_at_all(uint32_t *host, uint32_t depth, const struct platform *p,
                        const struct matrix *m, struct metrics *best)
{
  if (depth == 8) {
    const struct mapping map = {.ranks = 8, .host = host};
    const struct metrics x = hcube_metrics(p, &map, m);
    best->cardinality = x.cardinality > best->cardinality ? x.cardinality : best->cardinality;
    best->hop_bytes = x.hop_bytes < best->hop_bytes ? x.hop_bytes : best->hop_bytes;
    best->dilation_max = x.dilation_max < best->dilation_max ? x.dilation_max : best->dilation_max;
    return;
  }
  for (uint32_t i = depth; i < 8; i++) {
    const uint32_t t = host[depth];
    host[depth] = host[i];
    host[i] = t;
    if (depth > 0 || host[0] == 0) /* the cube is symmetric, so rank 0 can stay on host 0 */
      look_at_all(host, depth + 1, p, m, best);
    host[i] = host[depth];
    host[depth] = t;
  }
}

static void eight_tasks_are_placed_best(void **state)
{
  (void)state;
  struct platform *p = opened_platform("hypercube:3");
  struct rng r = rng_new(5, 0);
  for (int i = 0; i < 4; i++) {
    struct matrix m = random_traffic(&r, 8, 120 + 60 * (uint32_t)i, 9);
    size_t kept = 0; /* the metrics count pairs of 0 bytes as arcs, the mapper does not */
    for (size_t k = 0; k < m.count; k++)
      if (m.entry[k].bytes > 0 && m.entry[k].src != m.entry[k].dst)
        m.entry[kept++] = m.entry[k];
    m.count = kept;
    struct metrics best = {.hop_bytes = UINT64_MAX, .dilation_max = UINT32_MAX};
    look_at_all((uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7}, 0, p, &m, &best);
    assert_int_equal(hcube_score("hcube", p, &m).cardinality, best.cardinality);
    assert_int_equal(hcube_score("hcube:objective=hopbytes", p, &m).hop_bytes, best.hop_bytes);
    assert_int_equal(hcube_score("hcube:objective=longest", p, &m).dilation_max, best.dilation_max);
    matrix_clear(&m);
  }
  platform_free(p);
}

static void threads_change_nothing(void **state)
{
  (void)state;
  static const char *const spec[] = {"hcube", "hcube:objective=hopbytes,seed=3",
                                     "hcube:objective=longest", "hcube:ties=paper",
                                     "hcube:ties=paper,objective=hopbytes"};
  static const char *const where[] = {"hypercube:3", "hypercube:2", "torus:2x1x2x2", "mesh:2x2"};
  struct rng r = rng_new(6, 0);
  for (size_t i = 0; i < COUNT(spec); i++)
    for (uint32_t k = 0; k < 6; k++) {
      struct platform *p = opened_platform(where[k % COUNT(where)]);
      const uint32_t hosts = platform_hosts(p), per = 1 + k % 3;
      const uint32_t ranks = 1 + (uint32_t)rng_below(&r, hosts * per);
      struct matrix m = random_traffic(&r, ranks, (uint32_t[]){0, 100, 1000}[k % 3], 1000);
      struct mapping one = mapped_traffic(spec[i], p, &m, per, 1),
                     two = mapped_traffic(spec[i], p, &m, per, 2);
      assert_memory_equal(one.host, two.host, ranks * sizeof *one.host);
      mapping_clear(&one);
      mapping_clear(&two);
      matrix_clear(&m);
      platform_free(p);
    }
}

/* A mesh of 32 x 32 tasks in groups of 4: squares, which form a mesh of 16 x 16. */
static void groups_are_found(void **state)
{
  (void)state;
  struct platform *p = opened_platform("hypercube:8");
  for (uint64_t seed = 1; seed <= 3; seed++) {
    struct matrix m = hcube_grid(32, 32, 1, false, seed);
    struct mapping map = mapped_traffic("hcube", p, &m, 4, 2);
    const struct metrics x = hcube_metrics(p, &map, &m);
    assert_int_equal(x.cardinality, 2 * 2 * 16 * 15);
    assert_int_equal(x.dilation_max, 1);
    mapping_clear(&map);
    matrix_clear(&m);
  }
  platform_free(p);
}

static void bad_input_is_refused(void **state)
{
  (void)state;
  static const struct {
    const char *spec, *platform, *why;
    uint64_t bytes;
    uint32_t dst;
  } rows[] = {
      {"hcube", "torus:4x2", "mapper 'hcube' needs a hypercube, and 'torus:4x2' has a side of 4", 1,
       1},
      {"hcube:ties=some", "hypercube:3", "mapper 'hcube': ties: 'some' is none of paper, search", 1,
       1},
      {"hcube:objective=all", "hypercube:3",
       "mapper 'hcube': objective: 'all' is none of cardinality, hopbytes, longest", 1, 1},
      {"hcube:seed=-1", "hypercube:3", "mapper 'hcube': seed: '-1' is not a whole number", 1, 1},
      {"hcube", "hypercube:3", "traffic between ranks 0 and 5, but there are 4 ranks", 1, 5},
      {"hcube", "hypercube:3",
       "mapper 'hcube': the traffic exceeds 144115188075855871 bytes, counted at both ends",
       UINT64_C(1) << 57, 1},
  };
  for (size_t i = 0; i < COUNT(rows); i++)
    hcube_refuse(rows[i].spec, rows[i].platform, 4,
                 (struct matrix_entry){0, rows[i].dst, 1, rows[i].bytes}, rows[i].why);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(search_reaches_98_percent),
      cmocka_unit_test(the_paper_s_ties_hold_rings_whole),
      cmocka_unit_test(eight_tasks_are_placed_best),
      cmocka_unit_test(threads_change_nothing),
      cmocka_unit_test(groups_are_found),
      cmocka_unit_test(bad_input_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

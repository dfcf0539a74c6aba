#include <stdio.h>
#include <string.h>

#include "mappers/metrics.h"
#include "tests/unit/mappers/mapped.h"
#include "tests/unit/mappers/merge.h"
#include "traces/matrix/spec.h"

#define INSTANCES 200

static const char *const OBJECTIVE[] = {"minlink", "mincost"};

/* Platforms of 8 to 256 hosts: meshes and tori of 1 to 4 dimensions, powers of two and others. */
static const char *const SHAPE[] = {
    "mesh:4x4",    "torus:4x4",     "mesh:4x2x2",   "torus:4x4x2",  "mesh:4x4x4",
    "torus:4x4x4", "mesh:8x8",      "torus:8x8",    "mesh:8x4x4",   "torus:8x4x4",
    "torus:5x4",   "mesh:7x3",      "torus:3x5x2",  "mesh:3x3x3",   "torus:6x5",
    "mesh:5x4x3",  "torus:2x2x4",   "torus:8x2",    "mesh:1x9x1",   "torus:13",
    "hypercube:4", "torus:3x2x2x2", "mesh:2x2x3x2", "mesh:4x2x2x1", "hypercube:3",
};

static void compare(const struct platform *p, const struct matrix *m, const char *what)
{
  for (size_t o = 0; o < COUNT(OBJECTIVE); o++) {
    char plain[64], fast[64], distinct[96];
    snprintf(plain, sizeof plain, "mopt:objective=%s", OBJECTIVE[o]);
    snprintf(distinct, sizeof distinct, "%s,combinations=distinct", plain);
    snprintf(fast, sizeof fast, "fmopt:objective=%s", OBJECTIVE[o]);
    struct mapping want = mapped_traffic(plain, p, m, 1, 1);
    struct mapping skips = mapped_traffic(distinct, p, m, 1, 1);
    if (memcmp(want.host, skips.host, want.ranks * sizeof *want.host) != 0)
      fail_msg("%s, %s: distinct combinations give another mapping", what, OBJECTIVE[o]);
    mapping_clear(&skips);
    for (uint32_t threads = 1; threads <= 2; threads++) {
      struct mapping got = mapped_traffic(fast, p, m, 1, threads);
      if (memcmp(want.host, got.host, want.ranks * sizeof *want.host) != 0)
        fail_msg("%s, %s, %u threads, %u ranks, %zu pairs: fmopt differs from mopt", what,
                 OBJECTIVE[o], threads, m->ranks, m->count);
      mapping_clear(&got);
    }
    mapping_clear(&want);
  }
}

static void fmopt_equals_mopt(void **state)
{
  (void)state;
  static const uint32_t chance[] = {0, 5, 40, 100, 300, 1000};
  struct rng r = rng_new(6, 0);
  for (size_t i = 0; i < INSTANCES; i++) {
    const char *spec = SHAPE[i % COUNT(SHAPE)];
    struct platform *p = opened_platform(spec);
    const uint32_t hosts = platform_hosts(p), idle = (uint32_t)rng_below(&r, 1 + hosts / 4);
    /* mopt takes too long for dense traffic of many tasks */
    const size_t densest = hosts > 64 ? 3 : COUNT(chance);
    struct matrix m =
        merge_random_traffic(&r, hosts - (i % 3 == 0 ? idle : 0), chance[i % densest]);
    compare(p, &m, spec);
    matrix_clear(&m);
    platform_free(p);
  }
}

static void none_equals_mopt_without_reflections(void **state)
{
  (void)state;
  struct rng r = rng_new(10, 0);
  for (size_t i = 0; i < COUNT(SHAPE); i++) {
    struct platform *p = opened_platform(SHAPE[i]);
    struct matrix m = merge_random_traffic(&r, platform_hosts(p), i % 2 == 0 ? 40 : 300);
    struct mapping want = mapped_traffic("mopt:combinations=none", p, &m, 1, 1);
    struct mapping got = mapped_traffic("none", p, &m, 1, 1);
    assert_memory_equal(want.host, got.host, want.ranks * sizeof *want.host);
    mapping_clear(&want);
    mapping_clear(&got);
    matrix_clear(&m);
    platform_free(p);
  }
}

static void fmopt_equals_mopt_at_256_tasks(void **state)
{
  (void)state;
  static const char *const shape[] = {"mesh:16x16", "torus:16x16", "torus:8x8x4", "mesh:4x8x8"};
  struct rng r = rng_new(7, 0);
  for (size_t i = 0; i < COUNT(shape); i++) {
    struct platform *p = opened_platform(shape[i]);
    struct matrix m = merge_random_traffic(&r, 256, 12);
    compare(p, &m, shape[i]);
    matrix_clear(&m);
    platform_free(p);
  }
}

static uint64_t score(const struct platform *p, const struct mapping *m, const struct matrix *t,
                      bool cost)
{
  struct metrics out;
  struct err e;
  assert_int_equal(metrics_compute(&out, p, m, t, &e), OK);
  return cost ? out.hop_bytes : out.max_link_load_bytes;
}

static uint64_t between(const struct matrix *m, uint32_t a, uint32_t b)
{
  uint64_t bytes = 0;
  for (size_t i = 0; i < m->count; i++) {
    const struct matrix_entry *x = &m->entry[i];
    if ((x->src == a && x->dst == b) || (x->src == b && x->dst == a))
      bytes += x->bytes;
  }
  return bytes;
}

/* Four tasks on 2x2 hosts: the pair with the most bytes shares a row, and among these placements
 * the mapping has the least objective, computed from the routes of the topology. */
static void four_tasks_are_placed_best(void **state)
{
  (void)state;
  static const uint32_t pairing[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}};
  struct platform *p = opened_platform("mesh:2x2");
  struct rng r = rng_new(8, 0);
  for (int i = 0; i < 100; i++) {
    struct matrix m = merge_random_traffic(&r, 4, 700);
    const uint32_t *best = pairing[0];
    uint64_t most = 0;
    for (int k = 0; k < 6; k++) { /* both pairs of each pairing; ties go to the lower tasks */
      static const int order[6][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 2}, {1, 2}, {0, 2}};
      const uint32_t *x = pairing[order[k][0]];
      const uint64_t bytes = between(&m, x[order[k][1]], x[order[k][1] + 1]);
      best = bytes > most ? x : best;
      most = bytes > most ? bytes : most;
    }
    for (int cost = 0; cost < 2; cost++) {
      uint64_t least = UINT64_MAX;
      for (uint32_t turn = 0; turn < 4; turn++) {
        uint32_t host[4];
        host[best[0]] = turn & 1;
        host[best[1]] = 1 - (turn & 1);
        host[best[2]] = 2 + (turn >> 1);
        host[best[3]] = 3 - (turn >> 1);
        const uint64_t value = score(p, &(struct mapping){.ranks = 4, .host = host}, &m, cost);
        least = value < least ? value : least;
      }
      struct mapping got = mapped_traffic(cost ? "fmopt:objective=mincost" : "fmopt", p, &m, 1, 1);
      assert_int_equal(score(p, &got, &m, cost), least);
      mapping_clear(&got);
    }
    matrix_clear(&m);
  }
  platform_free(p);
}

static void expect_same(const char *a, const char *b, const struct platform *p,
                        const struct matrix *m)
{
  struct mapping x = mapped_traffic(a, p, m, 1, 1), y = mapped_traffic(b, p, m, 1, 2);
  if (memcmp(x.host, y.host, x.ranks * sizeof *x.host) != 0)
    fail_msg("%s and %s differ", a, b);
  mapping_clear(&x);
  mapping_clear(&y);
}

/* The same traffic, dense and as entries, with and without idle hosts. */
static void the_form_of_the_traffic_changes_nothing(void **state)
{
  (void)state;
  static const struct {
    const char *platform, *traffic;
  } rows[] = {{"torus:8x8x8", "dense:512"},
              {"mesh:16x16", "dense:250"},
              {"torus:5x3x3", "dense:45:seed=3"},
              {"hypercube:6", "dense:33"}};
  static const char *const spec[] = {
      "none", "fmopt", "fmopt:objective=mincost", "sfmopt", "sfmopt:objective=mincost", "greedy"};
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct platform *p = opened_platform(rows[i].platform);
    struct matrix dense, entries;
    struct err e;
    assert_int_equal(matrix_spec_make(&dense, rows[i].traffic, &e), OK);
    entries = (struct matrix){.ranks = dense.ranks, .count = dense.count};
    entries.entry = calloc(dense.count, sizeof *entries.entry);
    assert_non_null(entries.entry);
    for (size_t k = 0; k < dense.count; k++)
      entries.entry[k] = matrix_at(&dense, k);
    for (size_t k = 0; k < COUNT(spec); k++) {
      struct mapping x = mapped_traffic(spec[k], p, &dense, 1, 1),
                     y = mapped_traffic(spec[k], p, &entries, 1, 2);
      if (memcmp(x.host, y.host, x.ranks * sizeof *x.host) != 0)
        fail_msg("%s, %s: %s differs", rows[i].platform, rows[i].traffic, spec[k]);
      mapping_clear(&x);
      mapping_clear(&y);
    }
    matrix_clear(&dense);
    matrix_clear(&entries);
    platform_free(p);
  }
}

static void subgroups_that_come_too_late_change_nothing(void **state)
{
  (void)state;
  struct rng r = rng_new(9, 0);
  struct platform *p = opened_platform("torus:4x4x4");
  struct matrix m = merge_random_traffic(&r, 64, 50);
  expect_same("sfmopt:subgroup=2@6", "fmopt", p, &m);
  expect_same("fmopt-half:subgroup=2@6+4@7", "fmopt", p, &m);
  expect_same("sfmopt:objective=mincost,subgroup=2@1000", "fmopt:objective=mincost", p, &m);
  expect_same("fmopt-half:subgroup=2@3", "fmopt-half:subgroup=2@3+4@6", p, &m);
  expect_same("sfmopt", "sfmopt:subgroup=auto", p, &m);
  matrix_clear(&m);
  platform_free(p);
}

/* Two blocks are merged without reflection, because reflecting a single unit has no effect. */
static void single_blocks_are_not_reflected(void **state)
{
  (void)state;
  struct rng r = rng_new(18, 0);
  struct platform *p = opened_platform("mesh:4x2x2");
  struct matrix m = merge_random_traffic(&r, 16, 400);
  expect_same("sfmopt:subgroup=2@3", "fmopt-half:subgroup=2@3", p, &m);
  struct mapping blocks = mapped_traffic("sfmopt:subgroup=2@3", p, &m, 1, 1);
  struct mapping tasks = mapped_traffic("fmopt", p, &m, 1, 1);
  assert_memory_not_equal(blocks.host, tasks.host, 16 * sizeof *tasks.host);
  mapping_clear(&blocks);
  mapping_clear(&tasks);
  matrix_clear(&m);
  platform_free(p);
}

/* Treats blocks of 2x2x2 hosts as units of a smaller machine.  Numbers them by their lowest ranks,
 * and finds the cell of each. */
static void find_blocks(const struct mapping *m, uint32_t *unit_of, uint32_t *cell)
{
  uint32_t units = 0, unit_at[8];
  memset(unit_at, 0xff, sizeof unit_at);
  for (uint32_t r = 0; r < 64; r++) {
    const uint32_t h = m->host[r];
    const uint32_t block = h % 4 / 2 + h / 4 % 4 / 2 * 2 + h / 16 / 2 * 4;
    if (unit_at[block] == UINT32_MAX) {
      unit_at[block] = units;
      cell[units++] = block;
    }
    unit_of[r] = unit_at[block];
  }
}

/* From iteration 3 on, the 8 blocks of 8 tasks are merged like 8 tasks. */
static void subgroups_are_merged_like_tasks(void **state)
{
  (void)state;
  struct rng r = rng_new(10, 0);
  for (int i = 0; i < 20; i++) {
    struct platform *p = opened_platform(i % 2 == 0 ? "mesh:4x4x4" : "torus:4x4x4");
    struct platform *small = opened_platform("mesh:2x2x2");
    const char *objective = i % 4 < 2 ? "minlink" : "mincost";
    char whole[64], part[64];
    snprintf(whole, sizeof whole, "sfmopt:subgroup=2@3,objective=%s", objective);
    snprintf(part, sizeof part, "fmopt:objective=%s", objective);
    struct matrix m = merge_random_traffic(&r, 64, 60), blocks = {.ranks = 8, .count = 64};
    struct mapping got = mapped_traffic(whole, p, &m, 1, 1);
    uint32_t unit_of[64], cell[8];
    find_blocks(&got, unit_of, cell);
    blocks.entry = calloc(64, sizeof *blocks.entry);
    for (uint32_t k = 0; k < 64; k++)
      blocks.entry[k] = (struct matrix_entry){k / 8, k % 8, 1, 0};
    for (size_t k = 0; k < m.count; k++)
      blocks.entry[unit_of[m.entry[k].src] * 8 + unit_of[m.entry[k].dst]].bytes += m.entry[k].bytes;
    struct mapping want = mapped_traffic(part, small, &blocks, 1, 1);
    assert_memory_equal(cell, want.host, sizeof cell);
    mapping_clear(&want);
    mapping_clear(&got);
    matrix_clear(&blocks);
    matrix_clear(&m);
    platform_free(small);
    platform_free(p);
  }
}

/* On a hypercube the blocks are subcubes of 2, 4, ... dimensions, so that few patterns remain. */
static void subgroups_of_hypercubes(void **state)
{
  (void)state;
  struct rng r = rng_new(17, 0);
  struct platform *p = opened_platform("hypercube:9");
  struct matrix m = merge_random_traffic(&r, 512, 8);
  expect_same("sfmopt", "sfmopt:subgroup=2@4+4@6+8@8", p, &m);
  expect_same("fmopt-half:subgroup=2@3", "fmopt-half:subgroup=2@3+4@6", p, &m);
  struct mapping blocks = mapped_traffic("sfmopt:objective=mincost", p, &m, 1, 1);
  struct mapping none = mapped_traffic("none", p, &m, 1, 1);
  assert_true(score(p, &blocks, &m, true) < score(p, &none, &m, true));
  mapping_clear(&blocks);
  mapping_clear(&none);
  matrix_clear(&m);
  platform_free(p);
}

/* Tasks without traffic are paired in order and not reflected. */
static void tasks_without_traffic_are_mapped_in_merge_order(void **state)
{
  (void)state;
  static const uint32_t want[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  static const char *const spec[] = {"none", "mopt", "fmopt", "sfmopt", "fmopt-half"};
  struct platform *p = opened_platform("mesh:2x2x2");
  const struct matrix m = {.ranks = 8};
  for (size_t i = 0; i < COUNT(spec); i++) {
    struct mapping got = mapped_traffic(spec[i], p, &m, 1, 1);
    assert_memory_equal(got.host, want, sizeof want);
    mapping_clear(&got);
  }
  platform_free(p);
}

/* In six dimensions a pair has 46080^2 combinations, which are not all tried. */
static void many_dimensions_are_searched(void **state)
{
  (void)state;
  struct rng r = rng_new(11, 0);
  struct platform *p = opened_platform("torus:4x4x4x2x2x2");
  struct matrix m = merge_random_traffic(&r, 500, 8);
  for (size_t o = 0; o < COUNT(OBJECTIVE); o++) {
    char fast[64];
    snprintf(fast, sizeof fast, "fmopt:objective=%s", OBJECTIVE[o]);
    struct mapping got = mapped_traffic(fast, p, &m, 1, 1),
                   none = mapped_traffic("none", p, &m, 1, 1);
    struct mapping again = mapped_traffic(fast, p, &m, 1, 2);
    assert_memory_equal(got.host, again.host, got.ranks * sizeof *got.host);
    assert_true(score(p, &got, &m, o == 1) < score(p, &none, &m, o == 1));
    mapping_clear(&got);
    mapping_clear(&none);
    mapping_clear(&again);
  }
  matrix_clear(&m);
  platform_free(p);
}

static void expect_refusal(const char *spec, const struct mapper_input *in, const char *why)
{
  struct mapping m = {.ranks = 99};
  struct err e;
  assert_int_equal(mapper_run(spec, in, &m, &e), FAIL);
  assert_string_equal(e.text, why);
  assert_int_equal(m.ranks, 99);
}

static void refusals(void **state)
{
  (void)state;
  struct platform *p = opened_platform("torus:4x4x4");
  struct matrix_entry entry[2] = {{0, 7, 1, 5}, {3, 4, 1, INT64_MAX / 8}};
  struct matrix m = {.ranks = 8, .count = 1, .entry = entry};
  struct mapper_input in = {.platform = p, .traffic = &m, .ranks = 7, .ranks_per_host = 1};
  expect_refusal("fmopt", &in, "traffic between ranks 0 and 7, but there are 7 ranks");
  in.ranks = 65;
  in.ranks_per_host = 2;
  expect_refusal("none", &in, "mapper 'none' puts one rank on a host: 65 ranks, 64 hosts");
  in.ranks = 8;
  m.count = 2;
  expect_refusal("mopt", &in,
                 "mapper 'mopt': 1152921504606846980 bytes times up to 9 hops may reach 2^63");
  m.count = 1;
  expect_refusal("sfmopt:objective=best", &in,
                 "mapper 'sfmopt': objective: 'best' is none of minlink, mincost");
  expect_refusal("sfmopt:subgroup=2", &in, "mapper 'sfmopt': subgroup: '2' is not SIZE@ITERATION");
  expect_refusal("sfmopt:subgroup=3@6", &in,
                 "mapper 'sfmopt': subgroup: the size 3 is none of 2, 4, 8, ...");
  expect_refusal("sfmopt:subgroup=2@x", &in,
                 "mapper 'sfmopt': subgroup: 'x' is not a whole number");
  expect_refusal("sfmopt:subgroup=2@3+", &in,
                 "mapper 'sfmopt': subgroup: '' is not SIZE@ITERATION");
  expect_refusal("fmopt-half:subgroup=2@2", &in,
                 "mapper 'fmopt-half': subgroup: blocks with sides of 2 exist from iteration 3 on, "
                 "not from 2");
  expect_refusal("sfmopt:subgroup=2@7+4@6", &in,
                 "mapper 'sfmopt': subgroup: sizes and iterations must rise: 4@6 after 2@7");
  expect_refusal("none:objective=minlink", &in,
                 "mapper 'none': no option 'objective'; options: refine, refine-objective, cores");
  platform_free(p);
}

static void mopt_refuses_cases_that_take_too_long(void **state)
{
  (void)state;
  struct matrix_entry entry[] = {{0, 1, 1, 5}};
  const struct matrix m = {.ranks = 2, .count = 1, .entry = entry};
  static const struct {
    const char *platform, *why;
  } rows[] = {
      {"hypercube:6",
       "mapper 'mopt': a pair of groups has 14745600 combinations of patterns, above 1000000"},
      {"mesh:128x129",
       "mapper 'mopt': 16512 hosts are more than 16384 (fmopt gives the same mapping)"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct platform *p = opened_platform(rows[i].platform);
    expect_refusal(
        "mopt",
        &(struct mapper_input){.platform = p, .traffic = &m, .ranks = 2, .ranks_per_host = 1},
        rows[i].why);
    platform_free(p);
  }
}

/* On 2x2 hosts only the last merge has a choice, so all orders reach the least value.  On more
 * hosts the mapping depends on the order, but not on the threads. */
static void orders_break_ties_only(void **state)
{
  (void)state;
  static const char *const small[] = {"mesh:2x2", "torus:2x2"};
  struct rng r = rng_new(8, 0);
  struct platform *p[2] = {opened_platform(small[0]), opened_platform(small[1])};
  for (uint32_t i = 0; i < 40; i++) {
    struct matrix m = merge_random_traffic(&r, 4, 700);
    char spec[64];
    snprintf(spec, sizeof spec, "fmopt:objective=mincost,order=%u", (unsigned)i);
    struct mapping any = mapped_traffic(spec, p[i % 2], &m, 1, 1);
    struct mapping first = mapped_traffic("fmopt:objective=mincost", p[i % 2], &m, 1, 1);
    assert_int_equal(score(p[i % 2], &any, &m, true), score(p[i % 2], &first, &m, true));
    mapping_clear(&any);
    mapping_clear(&first);
    matrix_clear(&m);
  }
  platform_free(p[0]);
  platform_free(p[1]);
}

static void orders_are_reproducible(void **state)
{
  (void)state;
  struct rng r = rng_new(9, 0);
  struct platform *p = opened_platform("torus:4x4x4");
  struct matrix m = merge_random_traffic(&r, 64, 60);
  struct mapping plain = mapped_traffic("sfmopt", p, &m, 1, 1);
  struct mapping one = mapped_traffic("sfmopt:order=3", p, &m, 1, 1);
  struct mapping two = mapped_traffic("sfmopt:order=3", p, &m, 1, 2);
  assert_memory_equal(one.host, two.host, 64 * sizeof *one.host);
  assert_memory_not_equal(one.host, plain.host, 64 * sizeof *one.host);
  mapping_clear(&plain);
  mapping_clear(&one);
  mapping_clear(&two);
  matrix_clear(&m);
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(none_equals_mopt_without_reflections),
      cmocka_unit_test(orders_break_ties_only),
      cmocka_unit_test(orders_are_reproducible),
      cmocka_unit_test(fmopt_equals_mopt),
      cmocka_unit_test(fmopt_equals_mopt_at_256_tasks),
      cmocka_unit_test(four_tasks_are_placed_best),
      cmocka_unit_test(the_form_of_the_traffic_changes_nothing),
      cmocka_unit_test(subgroups_that_come_too_late_change_nothing),
      cmocka_unit_test(single_blocks_are_not_reflected),
      cmocka_unit_test(subgroups_are_merged_like_tasks),
      cmocka_unit_test(subgroups_of_hypercubes),
      cmocka_unit_test(tasks_without_traffic_are_mapped_in_merge_order),
      cmocka_unit_test(many_dimensions_are_searched),
      cmocka_unit_test(refusals),
      cmocka_unit_test(mopt_refuses_cases_that_take_too_long),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

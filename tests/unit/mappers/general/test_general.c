#include <stdio.h>
#include <string.h>

#include "mappers/general/cut/region.h"
#include "mappers/general/general.h"
#include "mappers/general/recognise/structure.h"
#include "mappers/mapper.h"
#include "tests/unit/mappers/general/graphs.h"

/* Mean hops per byte under a mapper. */
static double dilation(const char *mapper, const struct matrix *m, const char *platform)
{
  struct platform *p = opened_platform(platform);
  const struct mapper_input in = {
      .platform = p, .traffic = m, .ranks = m->ranks, .ranks_per_host = 1};
  struct mapping map;
  struct err e;
  if (mapper_run(mapper, &in, &map, &e) != OK)
    fail_msg("%s on %s: %s", mapper, platform, e.text);
  uint64_t hops = 0, bytes = 0;
  for (size_t i = 0; i < m->count; i++) {
    const struct matrix_entry *x = &m->entry[i];
    hops += x->bytes * topology_hops(platform_topology(p), map.host[x->src], map.host[x->dst]);
    bytes += x->bytes;
  }
  mapping_clear(&map);
  platform_free(p);
  return (double)hops / (double)bytes;
}

/* Shuffled stencils with a known optimal placement. */
static void stencils_reach_their_optimum(void **state)
{
  static const struct {
    uint32_t side[3];
    bool ring;
    const char *platform;
    double most;
  } rows[] = {
      {{8, 8, 8}, true, "torus:8x8x8", 1},      {{4, 5, 6}, true, "torus:6x4x5", 1},
      {{8, 8, 8}, false, "mesh:8x8x8", 1},      {{16, 16, 16}, true, "torus:16x16x16", 1},
      {{16, 16, 1}, true, "torus:16x16", 1},    {{16, 8, 1}, false, "mesh:8x4x4", 1.1},
      {{32, 32, 1}, true, "torus:8x16x8", 1.1}, {{64, 64, 1}, true, "torus:16x16x16", 1.1},
      {{8, 8, 8}, true, "hypercube:9", 1},      {{32, 16, 1}, false, "hypercube:9", 1},
      {{100, 1, 1}, true, "torus:10x10", 1.05}, {{8, 8, 1}, true, "torus:16x16x4", 1},
      {{3, 3, 3}, true, "torus:3x3x3", 1},      {{2, 2, 2}, true, "torus:2x2x2", 1},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++)
    for (uint64_t seed = 1; seed <= 2; seed++) {
      struct edges x = edges_grid(rows[i].side, rows[i].ring);
      const double mean =
          dilation("auto:choose=hopbytes", edges_shuffle(&x, seed), rows[i].platform);
      if (mean > rows[i].most + 1e-9)
        fail_msg("row %zu: dilation %g on %s instead of %g", i, mean, rows[i].platform,
                 rows[i].most);
      matrix_clear(&x.m);
    }
}

/* Coordinates of task @p v. */
static void coordinates(const uint32_t side[3], uint32_t v, int at[3])
{
  for (int d = 0; d < 3; v /= side[d++])
    at[d] = (int)(v % side[d]);
}

/* Joins tasks if their coordinates differ by at most one in each dimension.  @p mean is the mean
 * distance of joined tasks in steps. */
static struct edges edges_diagonal(const uint32_t side[3], double *mean)
{
  struct edges x = {.n = side[0] * side[1] * side[2]};
  uint64_t sum = 0;
  for (uint32_t v = 0; v < x.n; v++)
    for (uint32_t w = v + 1; w < x.n; w++) {
      int a[3], b[3], most = 0, all = 0;
      coordinates(side, v, a);
      coordinates(side, w, b);
      for (int d = 0; d < 3; d++) {
        most = abs(a[d] - b[d]) > most ? abs(a[d] - b[d]) : most;
        all += abs(a[d] - b[d]);
      }
      if (most > 1)
        continue;
      edges_add(&x, v, w, 1000);
      sum += (uint64_t)all;
    }
  *mean = (double)sum / (double)x.m.count;
  return x;
}

/* At the border of these stencils some diagonals look like edges of the grid. */
static void stencils_with_diagonals_have_axes(void **state)
{
  static const struct {
    uint32_t side[3];
    const char *platform;
  } rows[] = {
      {{9, 10, 6}, "mesh:6x9x10"}, {{5, 4, 3}, "mesh:3x4x5"}, {{3, 3, 3}, "mesh:3x3x3"},
      {{13, 7, 1}, "mesh:7x13"},   {{6, 5, 1}, "mesh:5x6"},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    double best;
    struct edges x = edges_diagonal(rows[i].side, &best);
    const double mean = dilation("structure", edges_shuffle(&x, 3 + i), rows[i].platform);
    if (mean > best + 1e-9)
      fail_msg("row %zu: dilation %g instead of %g", i, mean, best);
    matrix_clear(&x.m);
  }
}

/* The optimum has blocks of 4 x 2 tasks per switch and 8 x 8 per pod. */
static void stencils_fill_switches(void **state)
{
  static const uint32_t SIDE[] = {32, 16, 1};
  static const char TREE[] = "fattree:down=8x8x8,up=1x4x4,cables=1x1x1";
  struct platform *p = opened_platform(TREE);
  struct edges x = edges_grid(SIDE, false);
  uint64_t hops = 0;
  (void)state;
  for (size_t i = 0; i < x.m.count; i++) {
    uint32_t host[2];
    for (int end = 0; end < 2; end++) {
      const uint32_t v = end == 0 ? x.m.entry[i].src : x.m.entry[i].dst, a = v % 32, b = v / 32;
      const uint32_t pod = a / 8 + b / 8 * 4, leaf = a % 8 / 4 + b % 8 / 2 * 2;
      host[end] = pod * 64 + leaf * 8 + a % 4 + b % 2 * 4;
    }
    hops += topology_hops(platform_topology(p), host[0], host[1]);
  }
  const double best = (double)hops / (double)x.m.count;
  const double mean = dilation("auto:choose=hopbytes", edges_shuffle(&x, 4), TREE);
  if (mean > best + 1e-9)
    fail_msg("dilation %g instead of %g", mean, best);
  matrix_clear(&x.m);
  platform_free(p);
}

/* Each connected component gets a separate box. */
static void components_are_packed_into_boxes(void **state)
{
  static const uint32_t SIDE[] = {4, 4, 4}, BLOCKS = 8;
  struct edges one = edges_grid(SIDE, false), x = {.n = BLOCKS * one.n};
  (void)state;
  for (uint32_t b = 0; b < BLOCKS; b++)
    for (size_t i = 0; i < one.m.count; i++)
      edges_add(&x, b * one.n + one.m.entry[i].src, b * one.n + one.m.entry[i].dst, 1000);
  assert_true(dilation("auto:choose=hopbytes", edges_shuffle(&x, 3), "mesh:8x8x8") == 1);
  matrix_clear(&one.m);
  matrix_clear(&x.m);
}

/* The pattern of CG: butterflies in rows of 2^BITS tasks, and an edge to the transposed task. */
static void butterflies_with_transposes_are_recognised(void **state)
{
  static const uint32_t BITS = 4;
  struct edges x = {.n = 1u << 2 * BITS};
  (void)state;
  for (uint32_t v = 0; v < x.n; v++) {
    const uint32_t row = v >> BITS, column = v & ((1u << BITS) - 1), other = column << BITS | row;
    for (uint32_t b = 0; b < BITS; b++)
      if ((v & 1u << b) == 0)
        edges_add(&x, v, v | 1u << b, 1000);
    if (v < other)
      edges_add(&x, v, other, 1000);
  }
  const struct matrix *m = edges_shuffle(&x, 5);
  const double found = dilation("auto:choose=hopbytes", m, "hypercube:8"),
               annealed = dilation("bisect", m, "hypercube:8");
  if (found > 1.25 || found >= annealed)
    fail_msg("dilation %g, and %g by bisection", found, annealed);
  matrix_clear(&x.m);
}

static void structure_refuses_traffic_without_structure(void **state)
{
  struct edges x = edges_random(40, 6, 1);
  struct platform *p = opened_platform("torus:8x8");
  struct mapper_input in = {
      .platform = p, .traffic = edges_shuffle(&x, 1), .ranks = 40, .ranks_per_host = 1};
  struct mapping m;
  struct err e;
  (void)state;
  assert_int_equal(mapper_run("structure", &in, &m, &e), FAIL);
  assert_string_equal(e.text,
                      "mapper 'structure': the traffic is no stencil (product of paths and rings)");
  assert_int_equal(mapper_run("geometry:pivots=3", &in, &m, &e), FAIL);
  assert_string_equal(e.text, "mapper 'geometry': pivots: 3 is below the minimum of 8");
  assert_int_equal(mapper_run("bisect:tries=0", &in, &m, &e), FAIL);
  assert_string_equal(e.text, "mapper 'bisect': tries: 0 is below the minimum of 1");
  assert_int_equal(mapper_run("auto:effort=-1", &in, &m, &e), FAIL);
  assert_string_equal(e.text, "mapper 'auto': effort: -1 is outside 0..1000");
  matrix_clear(&x.m);
  platform_free(p);
}

/* On a hypercube only the earlier cuts of the same level tell which half is nearer to partners
 * outside of the region.  Bisection that ignores them reaches 2.1 hops. */
static void cuts_use_earlier_cuts_of_their_level(void **state)
{
  static const uint32_t SIDE[] = {16, 16, 1};
  (void)state;
  for (uint64_t seed = 1; seed <= 3; seed++) {
    struct edges x = edges_grid(SIDE, false);
    const double mean = dilation("bisect:tries=1", edges_shuffle(&x, seed), "hypercube:8");
    if (mean > 1.6)
      fail_msg("seed %lu: dilation %g", (unsigned long)seed, mean);
    matrix_clear(&x.m);
  }
}

static void trees_of_switches_are_recognised(void **state)
{
  static const struct {
    const char *platform;
    bool tree;
  } rows[] = {
      {"fattree:k=6", true},
      {"fattree:down=4x3x2,up=1x2x2,cables=1x1x1", true},
      {"dragonfly:groups=4,chassis=2,routers=2,nodes=2", false},
      {"dragonfly:groups=3,chassis=1,routers=3,nodes=2", false},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct platform *on = opened_platform(rows[i].platform);
    struct target m;
    struct regions r;
    struct err e;
    ARENA(mem, &e);
    assert_int_equal(target_new(&m, on, 1, &e), OK);
    assert_int_equal(regions_new(&r, &m, &mem), OK);
    if (regions_are_tree(&r) != rows[i].tree)
      fail_msg("%s: %s", rows[i].platform, rows[i].tree ? "no tree" : "a tree");
    target_clear(&m);
    platform_free(on);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stencils_reach_their_optimum),
      cmocka_unit_test(stencils_with_diagonals_have_axes),
      cmocka_unit_test(stencils_fill_switches),
      cmocka_unit_test(components_are_packed_into_boxes),
      cmocka_unit_test(butterflies_with_transposes_are_recognised),
      cmocka_unit_test(structure_refuses_traffic_without_structure),
      cmocka_unit_test(cuts_use_earlier_cuts_of_their_level),
      cmocka_unit_test(trees_of_switches_are_recognised),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <math.h>
#include <string.h>

#include "mappers/anneal.h"
#include "mappers/general/cut/region.h"
#include "tests/unit/mappers/general/graphs.h"

static const char *const GRIDS[] = {"torus:4x3x5", "mesh:6x7", "hypercube:6", "torus:2x3",
                                    "torus:7x1x5", "mesh:30",  "torus:65",    "mesh:3x2x3x2x3"};

static struct target target_of(const char *platform)
{
  struct platform *p = opened_platform(platform);
  struct target m;
  struct err e;
  assert_int_equal(target_new(&m, p, 1, &e), OK);
  platform_free(p);
  return m;
}

/* Hops computed by dividing host numbers into coordinates. */
static uint32_t hops(const struct target *m, uint32_t a, uint32_t b)
{
  uint32_t sum = 0;
  for (uint32_t d = 0; d < m->ndims; d++) {
    const uint32_t x = a % m->side[d], y = b % m->side[d], up = x > y ? x - y : y - x;
    sum += m->wraps[d] && m->side[d] - up < up ? m->side[d] - up : up;
    a /= m->side[d];
    b /= m->side[d];
  }
  return sum;
}

static void hops_agree_with_the_coordinates(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(GRIDS); i++) {
    struct target m = target_of(GRIDS[i]);
    struct edges x = edges_random(m.hosts, 5, i);
    const struct graph g = edges_graph(edges_shuffle(&x, i));
    struct placement p = {.g = &g, .m = &m};
    uint32_t slot[128];
    uint64_t sum = 0;
    for (uint32_t a = 0; a < m.hosts; a++) {
      slot[a] = m.hosts - 1 - a;
      for (uint32_t b = 0; b < m.hosts; b++)
        if (target_hops(&m, a, b) != hops(&m, a, b))
          fail_msg("%s: %u to %u: %u hops, not %u", GRIDS[i], a, b, target_hops(&m, a, b),
                   hops(&m, a, b));
    }
    for (uint32_t v = 0; v < g.n; v++)
      for (uint32_t a = g.first[v]; a < g.first[v + 1]; a++)
        sum += (uint64_t)g.weight[a] * hops(&m, slot[v], slot[g.to[a]]);
    assert_int_equal(2 * placement_hops(&p, slot), sum);
    graph_clear(&g);
    matrix_clear(&x.m);
    target_clear(&m);
  }
}

static void sides_of_any_length_divide_any_host(void **state)
{
  struct rng r = rng_new(1, 0);
  (void)state;
  for (int i = 0; i < 100000; i++) {
    const uint32_t side = 2 + (uint32_t)rng_below(&r, i % 2 == 0 ? 40 : UINT32_MAX - 2);
    const uint32_t host = (uint32_t)rng_next(&r) >> (i % 32);
    struct target whole = {.ndims = 1, .side = {UINT32_MAX}}, m;
    uint32_t row = host;
    target_box(&m, &whole, &side);
    if (target_split(&m, 0, &row) != host % side || row != host / side)
      fail_msg("%u by %u", host, side);
  }
}

/* Distances within a box are the distances on the machine if the box spans the whole ring or the
 * axis is no ring. */
static void distances_in_boxes_agree_with_the_machine(void **state)
{
  static const struct {
    const char *machine;
    uint32_t low[3], side[3];
  } rows[] = {
      {"torus:4x3x5", {0, 1, 0}, {4, 1, 5}}, {"torus:4x3x5", {2, 0, 4}, {1, 3, 1}},
      {"mesh:3x4x5", {1, 1, 2}, {2, 3, 2}},  {"mesh:3x4x5", {2, 2, 2}, {1, 1, 1}},
      {"torus:8x8x8", {3, 0, 5}, {4, 8, 2}},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct target m = target_of(rows[i].machine), box;
    target_box(&box, &m, rows[i].side);
    assert_int_equal(box.hosts, rows[i].side[0] * rows[i].side[1] * rows[i].side[2]);
    for (uint32_t a = 0; a < box.hosts; a++)
      for (uint32_t b = 0; b < box.hosts; b++)
        assert_int_equal(target_hops(&box, a, b),
                         target_hops(&m, target_box_host(&m, rows[i].low, rows[i].side, a),
                                     target_box_host(&m, rows[i].low, rows[i].side, b)));
    target_clear(&m);
  }
}

/* Halves all regions level by level, and compares the distances of both halves to all regions of
 * the level. */
static void halves_differ_by_the_axis_of_their_cut(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(GRIDS); i++) {
    struct target m = target_of(GRIDS[i]);
    struct regions r;
    struct err e;
    ARENA(mem, &e);
    struct region level[256], next[256];
    uint32_t count = 1;
    assert_int_equal(regions_new(&r, &m, &mem), OK);
    for (level[0] = region_all(&r); !region_is_uniform(&r, &level[0]);) {
      uint32_t n = 0;
      for (uint32_t k = 0; k < count; k++) {
        struct region half[2] = {level[k], level[k]};
        if (region_is_uniform(&r, &level[k])) {
          next[n++] = level[k];
          continue;
        }
        region_split(&r, &level[k], half);
        for (uint32_t j = 0; j < count; j++)
          assert_int_equal(region_farther(&r, half, &level[j]),
                           (int)region_hops(&r, &half[1], &level[j]) -
                               (int)region_hops(&r, &half[0], &level[j]));
        next[n++] = half[1]; /* the larger half first: level[0] becomes uniform last */
        next[n++] = half[0];
      }
      memcpy(level, next, n * sizeof *next);
      count = n;
    }
    target_clear(&m);
  }
}

static uint32_t sweeps_with(uint64_t exchanges)
{
  const struct anneal_plan plan = {.work = 80, .start = 1, .end = 0.01};
  struct anneal_sweeps c;
  double heat, last = INFINITY;
  uint32_t sweeps = 0;
  anneal_begin(&c, &plan, 3);
  for (; anneal_next(&c, &heat); sweeps++, c.done++) {
    assert_true(heat < last && (sweeps > 0 || heat == 3));
    last = heat;
    c.exchanges = exchanges;
  }
  assert_true(exchanges == 0 || last == 0);
  return sweeps;
}

static void a_frozen_search_stops_early(void **state)
{
  (void)state;
  assert_int_equal(sweeps_with(1), 81);
  assert_int_equal(sweeps_with(0), 11);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hops_agree_with_the_coordinates),
      cmocka_unit_test(sides_of_any_length_divide_any_host),
      cmocka_unit_test(distances_in_boxes_agree_with_the_machine),
      cmocka_unit_test(halves_differ_by_the_axis_of_their_cut),
      cmocka_unit_test(a_frozen_search_stops_early),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

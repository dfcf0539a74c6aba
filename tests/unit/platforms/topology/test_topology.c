#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "platforms/topology/grid.h"
#include "platforms/topology/kind.h"
#include "tests/unit/count.h"

static const char *const SHAPES[] = {
    "torus:1",   "torus:2",     "torus:3",     "torus:4",    "torus:7",     "torus:5x4",
    "torus:1x1", "torus:5x1x4", "torus:2x3x4", "torus:2x2",  "torus:6x2",   "mesh:1",
    "mesh:2",    "mesh:7",      "mesh:4x3",    "mesh:3x1x4", "mesh:2x3x2",  "hypercube:1",
    "mesh:1x1",  "hypercube:5", "torus:4x4",   "mesh:5x5",   "torus:3x2x2",
};

static struct topology *must_build(const char *spec)
{
  struct topology *t = NULL;
  struct err e;
  if (topology_new(&t, spec, &e) != OK)
    fail_msg("%s", e.text);
  return t;
}

static void specs_are_read_and_made_canonical(void **state)
{
  (void)state;
  static const struct {
    const char *spec, *canonical;
    uint32_t hosts, links, diameter;
  } rows[] = {
      {"torus:8x8x8", "torus:8x8x8", 512, 3072, 12},
      {"torus:08x1", "torus:8x1", 8, 16, 4},
      {"torus:2x2", "torus:2x2", 4, 8, 2},
      {"mesh:16x16", "mesh:16x16", 256, 960, 30},
      {"mesh:1", "mesh:1", 1, 0, 0},
      {"hypercube:9", "hypercube:9", 512, 4608, 9},
      {"hypercube:20", "hypercube:20", 1048576, 20971520, 20},
      {"torus:1x1x1x1x1x1x1x3", "torus:1x1x1x1x1x1x1x3", 3, 6, 1},
      {"torus:67108864", "torus:67108864", 67108864, 134217728, 33554432},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct topology *t = must_build(rows[i].spec);
    assert_string_equal(topology_spec(t), rows[i].canonical);
    assert_int_equal(topology_hosts(t), rows[i].hosts);
    assert_int_equal(topology_links(t), rows[i].links);
    assert_int_equal(topology_diameter(t), rows[i].diameter);
    topology_free(t);
  }
  topology_free(NULL);
}

static void bad_specs_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *spec, *cause;
  } rows[] = {
      {"", "unknown topology ''"},
      {"ring:4", "unknown topology 'ring'; expected torus, mesh,"},
      {"torus", "unknown topology"},
      {"torus:", "'sides' is missing"},
      {"torus:4x", "sides: '' is not a whole number"},
      {"torus:x4", "sides: '' is not a whole number"},
      {"torus:4,4", "no option '4'; options: none"},
      {"torus:0x4", "0 is below the minimum"},
      {"torus:-4", "'-4' is not a whole number"},
      {"torus:4X4", "'4X4' is not a whole number"},
      {"torus:4x4 ", "'4 ' is not a whole number"},
      {"torus:99999999999999999999", "out of range"},
      {"torus:67108865", "above the maximum"},
      {"torus:8192x8193", "more than 67108864 hosts"},
      {"torus:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1", "more than 20 numbers"},
      {"mesh:8192x4097", "more than 67108864 hosts in the torus that carries the mesh"},
      {"hypercube:0", "0 is below the minimum"},
      {"hypercube:21", "above the maximum"},
      {"hypercube:2x2", "dimensions: '2x2' is not a whole number"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct topology *t = NULL;
    struct err e = {.text = ""};
    assert_int_equal(topology_new(&t, rows[i].spec, &e), FAIL);
    assert_null(t);
    if (strstr(e.text, rows[i].cause) == NULL)
      fail_msg("'%s': '%s' lacks '%s'", rows[i].spec, e.text, rows[i].cause);
  }
}

/* The host where a link ends, by the rule in topology.h. */
static uint32_t link_end(const struct topology *t, uint32_t link)
{
  uint32_t ndims, stride = 1;
  const uint32_t *side = grid_sides(t, &ndims);
  const uint32_t d = link / 2 % ndims, host = link / 2 / ndims;
  for (uint32_t i = 0; i < d; i++)
    stride *= side[i];
  const uint32_t k = side[d], at = host / stride % k;
  const uint32_t next = link % 2 == 1 ? (at + k - 1) % k : (at + 1) % k;
  return host - at * stride + next * stride;
}

/* Follows a route link by link and marks the links in @p used. */
static void check_route(const struct topology *t, uint32_t src, uint32_t dst, uint8_t *used)
{
  uint32_t links[64], ndims, last = 0;
  const uint32_t n = topology_route(t, src, dst, links);
  grid_sides(t, &ndims);
  assert_int_equal(n, topology_hops(t, src, dst));
  assert_int_equal(n, topology_hops(t, dst, src));
  assert_true(n <= topology_diameter(t));
  assert_int_equal(n == 0, src == dst);
  uint32_t at = src;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t d = links[i] / 2 % ndims;
    assert_true(topology_has_link(t, links[i]));
    assert_int_equal(links[i] / 2 / ndims, at);
    assert_true(d >= last);
    last = d;
    used[links[i]] = 1;
    at = link_end(t, links[i]);
  }
  assert_int_equal(at, dst);
}

/* topology_hops() of a dragonfly does not compute the route.  The second shape has more groups than
 * routers. */
static void hops_of_dragonflies_agree_with_routes(void **state)
{
  (void)state;
  static const char *const FLIES[] = {"dragonfly:groups=3,chassis=2,routers=3,nodes=2",
                                      "dragonfly:groups=5,chassis=3,routers=2,nodes=1",
                                      "dragonfly:groups=1,chassis=2,routers=1,nodes=3",
                                      "dragonfly:groups=4,chassis=1,routers=4,nodes=1"};
  for (size_t i = 0; i < COUNT(FLIES); i++) {
    struct topology *t = must_build(FLIES[i]);
    uint32_t links[16];
    for (uint32_t src = 0; src < topology_hosts(t); src++)
      for (uint32_t dst = 0; dst < topology_hosts(t); dst++)
        if (src != dst)
          assert_int_equal(topology_hops(t, src, dst), topology_route(t, src, dst, links));
    topology_free(t);
  }
}

static void routes_reach_their_hosts_and_use_all_links(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(SHAPES); i++) {
    struct topology *t = must_build(SHAPES[i]);
    uint8_t used[1024] = {0};
    uint32_t links = 0, longest = 0;
    for (uint32_t src = 0; src < topology_hosts(t); src++)
      for (uint32_t dst = 0; dst < topology_hosts(t); dst++) {
        check_route(t, src, dst, used);
        longest = topology_hops(t, src, dst) > longest ? topology_hops(t, src, dst) : longest;
      }
    for (uint32_t l = 0; l < topology_link_ids(t); l++) {
      assert_int_equal(topology_has_link(t, l), used[l]);
      links += used[l];
    }
    assert_int_equal(topology_links(t), links);
    assert_int_equal(topology_diameter(t), longest);
    assert_false(topology_has_link(t, topology_link_ids(t)));
    topology_free(t);
  }
}

static void ties_go_up_except_to_the_origin(void **state)
{
  (void)state;
  static const struct {
    uint32_t src, dst, first;
  } rows[] = {
      {5, 2, 5 * 2},     {4, 1, 4 * 2}, {0, 3, 0},         {1, 4, 1 * 2},
      {3, 0, 3 * 2 + 1}, {1, 0, 3},     {5, 0, 5 * 2 + 0},
  };
  struct topology *t = must_build("torus:6");
  for (size_t i = 0; i < COUNT(rows); i++) {
    uint32_t links[3];
    topology_route(t, rows[i].src, rows[i].dst, links);
    assert_int_equal(links[0], rows[i].first);
  }
  topology_free(t);
}

static void carriers_keep_the_order_of_hosts(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(SHAPES); i++) {
    struct topology *t = must_build(SHAPES[i]);
    const uint32_t hosts = topology_hosts(t);
    uint32_t ndims, size = 1, found = 0, h = 0;
    const uint32_t *side = grid_sides(t, &ndims);
    for (uint32_t d = 0; d < ndims; d++)
      size *= grid_kind(t) == GRID_MESH ? 2 * side[d] - 1 : side[d];
    assert_int_equal(grid_carrier_hosts(t), size);
    for (uint32_t c = 0; c < size; c++)
      if (grid_from_carrier(t, c, &h)) {
        assert_int_equal(h, found++);
        assert_int_equal(grid_carrier_host(t, h), c);
      }
    assert_int_equal(found, hosts);
    assert_false(grid_from_carrier(t, size, &h));
    topology_free(t);
  }
}

/* Number of directed links between the hosts in @p half and the others. */
static uint64_t cut_of(const struct topology *t, uint32_t half)
{
  uint64_t cut = 0;
  uint32_t ndims;
  grid_sides(t, &ndims);
  for (uint32_t l = 0; l < topology_link_ids(t); l++)
    if (topology_has_link(t, l))
      cut += (half >> (l / 2 / ndims) & 1) != (half >> link_end(t, l) & 1);
  return cut;
}

static uint64_t brute_force_bisection(const struct topology *t)
{
  const uint32_t n = topology_hosts(t);
  uint64_t best = UINT64_MAX;
  for (uint32_t half = 0; half < (uint32_t)1 << n; half++) {
    if ((uint32_t)__builtin_popcount(half) != n / 2)
      continue;
    const uint64_t cut = cut_of(t, half);
    best = cut < best ? cut : best;
  }
  return best;
}

static void bisection_agrees_with_brute_force(void **state)
{
  (void)state;
  static const char *const shapes[] = {
      "torus:1",   "torus:2",     "torus:5",       "torus:8",   "torus:3x2", "torus:3x3",
      "torus:4x2", "torus:5x2",   "torus:7x2",     "torus:4x3", "torus:5x3", "torus:3x2x2",
      "torus:4x4", "torus:2x2x2", "torus:2x2x4",   "mesh:5",    "mesh:3x3",  "mesh:4x3",
      "mesh:5x3",  "mesh:7x2",    "mesh:3x2x2",    "mesh:4x4",  "mesh:4x2",  "hypercube:3",
      "mesh:6x2",  "hypercube:4", "torus:1x6x1x2", "mesh:5x2",  "mesh:1",    "torus:6x2",
  };
  for (size_t i = 0; i < COUNT(shapes); i++) {
    struct topology *t = must_build(shapes[i]);
    const uint64_t formula = topology_bisection(t), best = brute_force_bisection(t);
    if (formula != best)
      fail_msg("%s: %llu, not %llu", shapes[i], (unsigned long long)formula,
               (unsigned long long)best);
    topology_free(t);
  }
}

static void bisection_of_large_shapes(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    uint64_t links;
  } rows[] = {
      {"torus:8x8x8", 256},      {"mesh:32x32x16", 1024},
      {"hypercube:20", 1048576}, {"mesh:9x9x9", 2 * (81 + 9 + 1)},
      {"torus:5x5x5", 4 * 31},   {"torus:3x3x3x3x3x3x3x3", 4 * 3280},
      {"mesh:4096x4096", 8192},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct topology *t = must_build(rows[i].spec);
    assert_int_equal(topology_bisection(t), rows[i].links);
    topology_free(t);
  }
}

/* A topology unknown to SimGrid must not be written as another one. */
static void topologies_unknown_to_simgrid_are_not_written(void **state)
{
  (void)state;
  static const struct topology_kind ring = {.name = "chordal-ring"};
  const struct topology t = {.kind = &ring, .spec = "chordal-ring:8", .hosts = 8};
  struct err e;
  assert_int_equal(topology_check_simgrid(&t, &e), FAIL);
  assert_string_equal(e.text, "chordal-ring:8: SimGrid has no topology 'chordal-ring'");
  struct topology *star = must_build("star:8");
  assert_int_equal(topology_check_simgrid(star, &e), OK);
  topology_free(star);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(topologies_unknown_to_simgrid_are_not_written),
      cmocka_unit_test(specs_are_read_and_made_canonical),
      cmocka_unit_test(bad_specs_are_refused),
      cmocka_unit_test(hops_of_dragonflies_agree_with_routes),
      cmocka_unit_test(routes_reach_their_hosts_and_use_all_links),
      cmocka_unit_test(ties_go_up_except_to_the_origin),
      cmocka_unit_test(carriers_keep_the_order_of_hosts),
      cmocka_unit_test(bisection_agrees_with_brute_force),
      cmocka_unit_test(bisection_of_large_shapes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

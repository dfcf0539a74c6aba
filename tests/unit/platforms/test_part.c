#include "platforms/part.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/numeric/rng.h"
#include "platforms/box.h"
#include "platforms/distances.h"
#include "platforms/topology/grid.h"
#include "tests/unit/opened.h"

static struct platform *part_of(const struct platform *whole, const uint32_t *host, uint32_t n)
{
  struct platform *p;
  struct err e;
  assert_int_equal(platform_part_new(&p, whole, host, n, &e), OK);
  assert_int_equal(platform_hosts(p), n);
  return p;
}

/* Draws @p n different hosts in ascending order. */
static void draw(const struct platform *p, uint32_t n, struct rng *r, uint32_t *host)
{
  uint32_t taken = 0, hosts = platform_hosts(p);
  for (uint32_t h = 0; h < hosts; h++)
    if (rng_below(r, hosts - h) < n - taken)
      host[taken++] = h;
  assert_int_equal(taken, n);
}

/* Routes between hosts of the part are the routes of the whole. */
static void check_routes(const struct platform *whole, const struct platform *part)
{
  struct platform_finder *a, *b;
  struct platform_route x, y;
  struct distances *da, *db;
  struct err e;
  double far[2];
  const uint32_t n = platform_hosts(part);
  assert_int_equal(platform_finder_new(&a, whole, &e), OK);
  assert_int_equal(platform_finder_new(&b, part, &e), OK);
  assert_int_equal(distances_new(&da, whole, DISTANCE_USUAL, &e), OK);
  assert_int_equal(distances_new(&db, part, DISTANCE_USUAL, &e), OK);
  assert_int_equal(distances_fill(db, &e), OK);
  assert_int_equal(distances_fill(da, &e), OK);
  for (uint32_t s = 0; s < n; s++)
    for (uint32_t d = 0; d < n; d++) {
      const uint32_t i = platform_whole_host(part, s), k = platform_whole_host(part, d);
      assert_int_equal(platform_route(a, i, k, &x, &e), OK);
      assert_int_equal(platform_route(b, s, d, &y, &e), OK);
      assert_int_equal(x.links, y.links);
      assert_memory_equal(x.link, y.link, x.links * sizeof *x.link);
      assert_int_equal(distances_one_way(da, i, k, &far[0], &e), OK);
      assert_int_equal(distances_one_way(db, s, d, &far[1], &e), OK);
      assert_true(far[0] == far[1]);
      assert_true(distances_mean(da, i, k) == distances_mean(db, s, d));
    }
  distances_free(da);
  distances_free(db);
  platform_finder_free(a);
  platform_finder_free(b);
}

static void a_part_has_names_speeds_and_routes_of_the_whole(void **state)
{
  static const char *const SPECS[] = {"torus:5x4x3",
                                      "mesh:6x6",
                                      "hypercube:5",
                                      "fattree:k=4",
                                      "dragonfly:groups=3,chassis=2,routers=3,nodes=2",
                                      "random-clusters:hosts=30,sizes=4+8,seed=3"};
  (void)state;
  struct rng r = rng_new(1, 0);
  char a[PLATFORM_NAME_SIZE], b[PLATFORM_NAME_SIZE];
  uint32_t host[9], found;
  for (size_t i = 0; i < sizeof SPECS / sizeof *SPECS; i++) {
    struct platform *whole = opened_platform(SPECS[i]);
    draw(whole, 9, &r, host);
    struct platform *part = part_of(whole, host, 9);
    for (uint32_t h = 0; h < 9; h++) {
      const uint32_t own = platform_whole_host(part, h);
      assert_int_equal(platform_part_host(part, own), h);
      assert_string_equal(platform_host_name(part, h, a, sizeof a),
                          platform_host_name(whole, own, b, sizeof b));
      assert_true(platform_find_host(part, a, &found));
      assert_int_equal(found, h);
      assert_true(platform_host_speed(part, h) == platform_host_speed(whole, own));
      assert_int_equal(platform_host_cores(part, h), platform_host_cores(whole, own));
    }
    check_routes(whole, part);
    platform_free(part);
    platform_free(whole);
  }
}

static void hosts_outside_a_part_are_not_found(void **state)
{
  (void)state;
  const uint32_t host[] = {2, 5};
  struct platform *whole = opened_platform("star:8"), *part = part_of(whole, host, 2);
  uint32_t found;
  assert_false(platform_find_host(part, "node-3", &found));
  assert_int_equal(platform_part_host(part, 3), UINT32_MAX);
  platform_free(part);
  platform_free(whole);
}

/* --- boxes ------------------------------------------------------------------------------------ */

static void expect_box(const char *spec, const uint32_t *host, uint32_t n, const char *box)
{
  struct platform *whole = opened_platform(spec), *part = part_of(whole, host, n);
  const struct topology *t = platform_topology(part);
  if (box == NULL)
    assert_null(t);
  else
    assert_string_equal(topology_spec(t), box);
  check_routes(whole, part);
  for (uint32_t a = 0; box != NULL && a < n; a++)
    for (uint32_t b = 0; b < n; b++)
      assert_int_equal(topology_hops(t, a, b),
                       topology_hops(platform_topology(whole), platform_whole_host(part, a),
                                     platform_whole_host(part, b)));
  platform_free(part);
  platform_free(whole);
}

static void hosts_that_form_a_box_have_its_topology(void **state)
{
  (void)state;
  const uint32_t square[] = {9, 10, 17, 18}, across[] = {7, 0, 15, 8},
                 corner[] = {0, 1, 8, 9, 16, 17}, gap[] = {0, 1, 8, 10}, row[] = {0, 1, 2, 3, 4};
  expect_box("torus:8x8", square, 4, "mesh:2x2");
  expect_box("mesh:8x8", square, 4, "mesh:2x2");
  expect_box("torus:8x8", across, 4, "mesh:2x2"); /* over the wrap-around */
  expect_box("mesh:8x8", across, 4, NULL);
  expect_box("torus:8x8", corner, 6, "mesh:2x3");
  expect_box("torus:8x8", gap, 4, NULL);
  expect_box("torus:8x8", row, 4, "mesh:4x1");
  expect_box("torus:8x8", row, 5, NULL); /* the tie of 4 hops may go round */
  expect_box("mesh:8x8", row, 5, "mesh:5x1");
  const uint32_t all[] = {0, 1, 2, 3, 4, 5, 6, 7}, face[] = {2, 3, 6, 7};
  expect_box("torus:4x2", all, 8, "torus:4x2");
  expect_box("hypercube:3", all, 8, "hypercube:3");
  expect_box("hypercube:3", face, 4, "mesh:2x1x2");
}

/* True if all hosts of a box are in the set. */
static bool holds(const struct topology *t, const struct box *b, const bool *in)
{
  for (uint32_t i = 0; i < b->hosts; i++)
    if (!in[box_host(b, t, i)])
      return false;
  return true;
}

/* The fewest hosts, at least @p least, of a box in the set, by trying all boxes.  0: none. */
static uint32_t smallest(const struct topology *t, const bool *in, uint32_t least)
{
  uint32_t ndims, best = 0;
  const uint32_t *side = grid_sides(t, &ndims);
  const bool torus = grid_kind(t) == GRID_TORUS;
  assert_int_equal(ndims, 3);
  struct box b = {0};
  for (b.low = 0; b.low < topology_hosts(t); b.low++)
    for (b.side[0] = 1; b.side[0] <= side[0]; b.side[0]++)
      for (b.side[1] = 1; b.side[1] <= side[1]; b.side[1]++)
        for (b.side[2] = 1; b.side[2] <= side[2]; b.side[2]++) {
          uint32_t at = b.low;
          bool good = true;
          b.hosts = b.side[0] * b.side[1] * b.side[2];
          for (uint32_t d = 0; d < 3; at /= side[d++])
            good = good && (torus ? side[d] <= 2 || 2 * (b.side[d] - 1) < side[d]
                                  : at % side[d] + b.side[d] <= side[d]);
          if (good && b.hosts >= least && (best == 0 || b.hosts < best) && holds(t, &b, in))
            best = b.hosts;
        }
  return best;
}

static void the_smallest_box_is_found(void **state)
{
  (void)state;
  struct rng r = rng_new(2, 0);
  uint32_t host[100];
  for (int i = 0; i < 60; i++) {
    struct platform *p = opened_platform(i % 2 == 0 ? "torus:5x4x3" : "mesh:4x5x3");
    const struct topology *t = platform_topology(p);
    const uint32_t n = 40 + (uint32_t)rng_below(&r, 19), least = 1 + (uint32_t)rng_below(&r, 16);
    bool in[100] = {false};
    struct box b;
    struct err e;
    draw(p, n, &r, host);
    for (uint32_t k = 0; k < n; k++)
      in[host[k]] = true;
    assert_int_equal(box_find(&b, t, host, n, least, &e), OK);
    assert_int_equal(b.hosts, smallest(t, in, least));
    assert_true(holds(t, &b, in));
    platform_free(p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_part_has_names_speeds_and_routes_of_the_whole),
      cmocka_unit_test(hosts_outside_a_part_are_not_found),
      cmocka_unit_test(hosts_that_form_a_box_have_its_topology),
      cmocka_unit_test(the_smallest_box_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

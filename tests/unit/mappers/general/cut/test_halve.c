#include <string.h>

#include "mappers/general/cut/halve.h"
#include "tests/unit/mappers/general/graphs.h"

enum { MOST = 12 };

static int64_t cost_of(const struct halving *h, const uint8_t *side)
{
  int64_t sum = 0;
  for (uint32_t v = 0; v < h->g->n; v++) {
    sum += side[v] ? h->bias[v] : 0;
    for (uint32_t a = h->g->first[v]; a < h->g->first[v + 1]; a++)
      if (h->g->to[a] > v && side[h->g->to[a]] != side[v])
        sum += (int64_t)h->g->weight[a] * h->hops;
  }
  return sum;
}

static uint32_t first_size(const uint8_t *side, uint32_t n)
{
  uint32_t size = 0;
  for (uint32_t v = 0; v < n; v++)
    size += side[v] == 0;
  return size;
}

/* Least cost of all cuts within the bounds, by brute force. */
static int64_t least_cost(const struct halving *h)
{
  int64_t least = INT64_MAX;
  for (uint32_t cut = 0; cut < 1u << h->g->n; cut++) {
    uint8_t side[MOST];
    for (uint32_t v = 0; v < h->g->n; v++)
      side[v] = cut >> v & 1;
    const uint32_t size = first_size(side, h->g->n);
    if (size < h->least || size > h->most)
      continue;
    const int64_t cost = cost_of(h, side);
    least = cost < least ? cost : least;
  }
  return least;
}

/* On small graphs the bounds always hold, and at least 90 % of the cuts are optimal. */
static void small_cuts_are_near_the_best(void **state)
{
  uint32_t best = 0, all = 0;
  (void)state;
  for (uint64_t seed = 1; seed <= 100; seed++, all++) {
    struct rng r = rng_new(seed, 3);
    struct edges x = edges_random(4 + (uint32_t)rng_below(&r, MOST - 3), 4, seed);
    const struct graph g = edges_graph(edges_shuffle(&x, seed));
    int64_t bias[MOST];
    uint8_t side[MOST];
    struct err e;
    for (uint32_t v = 0; v < g.n; v++)
      bias[v] = (int64_t)rng_below(&r, 1000) - 500;
    struct halving h = {
        .g = &g, .bias = bias, .hops = 1 + (uint32_t)rng_below(&r, 4), .tries = 8, .seed = seed};
    h.least = (uint32_t)rng_below(&r, g.n);
    h.most = h.least + (uint32_t)rng_below(&r, g.n - h.least + 1);
    assert_int_equal(halve(&h, side, &e), OK);
    const uint32_t size = first_size(side, g.n);
    if (size < h.least || size > h.most)
      fail_msg("seed %d: %u tasks outside %u..%u", (int)seed, size, h.least, h.most);
    best += cost_of(&h, side) == least_cost(&h);
    graph_clear(&g);
    matrix_clear(&x.m);
  }
  if (best < all * 9 / 10)
    fail_msg("%u of %u cuts are the best", best, all);
}

/* A grid of 32x16 is cut across its longer side, with at most a quarter more cut edges. */
static void grids_are_cut_in_two(void **state)
{
  static const uint32_t SIDE[] = {32, 16, 1};
  struct edges x = edges_grid(SIDE, false);
  const struct graph g = edges_graph(edges_shuffle(&x, 4));
  int64_t bias[512] = {0};
  uint8_t side[512];
  struct err e;
  (void)state;
  const struct halving h = {
      .g = &g, .bias = bias, .hops = 1, .least = 256, .most = 256, .tries = 4, .seed = 1};
  assert_int_equal(halve(&h, side, &e), OK);
  assert_int_equal(first_size(side, 512), 256);
  if (cost_of(&h, side) > 20 * 1000)
    fail_msg("%ld edges are cut; 16 suffice", (long)cost_of(&h, side) / 1000);
  graph_clear(&g);
  matrix_clear(&x.m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_cuts_are_near_the_best),
      cmocka_unit_test(grids_are_cut_in_two),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

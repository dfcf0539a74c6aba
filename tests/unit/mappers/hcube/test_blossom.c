#include "mappers/hcube/blossom.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/numeric/rng.h"

#define MOST 12

/* The greatest weight of a matching, by dynamic programming over all subsets of vertices. */
static int64_t brute_force(uint32_t n, int64_t weight[MOST][MOST])
{
  static int64_t best[1 << MOST];
  best[0] = 0;
  for (uint32_t set = 1; set < 1u << n; set++) {
    const uint32_t a = (uint32_t)__builtin_ctz(set), rest = set & (set - 1);
    best[set] = best[rest];
    for (uint32_t b = a + 1; b < n; b++) {
      if ((rest >> b & 1) == 0)
        continue;
      const int64_t value = weight[a][b] + best[rest ^ 1u << b];
      best[set] = value > best[set] ? value : best[set];
    }
  }
  return best[(1u << n) - 1];
}

/* The weight of a matching; checks that mates are mutual. */
static int64_t weight_of(uint32_t n, const uint32_t *mate, const struct blossom_arc *arc,
                         size_t arcs)
{
  int64_t sum = 0;
  for (uint32_t v = 0; v < n; v++)
    if (mate[v] != BLOSSOM_FREE) {
      assert_true(mate[v] < n && mate[v] != v);
      assert_int_equal(mate[mate[v]], v);
    }
  for (size_t i = 0; i < arcs; i++)
    sum += mate[arc[i].a] == arc[i].b ? arc[i].weight : 0;
  return sum;
}

static void must_match(uint32_t n, const struct blossom_arc *arc, size_t arcs, uint32_t *mate,
                       bool *tight)
{
  struct err e;
  if (blossom_match(n, arc, arcs, mate, tight, &e) != OK)
    fail_msg("%s", e.text);
}

/* A random graph: an arc exists with probability chance / 1000 and has a weight of 1 to @p most. */
static size_t random_arcs(struct rng *r, uint32_t n, uint32_t chance, uint64_t most,
                          struct blossom_arc *arc)
{
  size_t arcs = 0;
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = a + 1; b < n; b++) {
      const int64_t w = (int64_t)rng_below(r, most + 1);
      if (rng_below(r, 1000) < chance && w > 0)
        arc[arcs++] =
            rng_below(r, 2) ? (struct blossom_arc){a, b, w} : (struct blossom_arc){b, a, w};
    }
  return arcs;
}

static void matchings_are_of_greatest_weight(void **state)
{
  (void)state;
  static const uint32_t chance[] = {150, 300, 500, 800, 1000};
  static const uint64_t most[] = {1, 2, 3, 10, 1000000, BLOSSOM_MAX_WEIGHT - 1};
  struct rng r = rng_new(1, 0);
  for (uint32_t i = 0; i < 6000; i++) {
    struct blossom_arc arc[MOST * MOST];
    bool tight[MOST * MOST];
    uint32_t mate[MOST];
    int64_t weight[MOST][MOST] = {{0}};
    const uint32_t n = 1 + i % MOST;
    const size_t arcs = random_arcs(&r, n, chance[i % 5], most[i % 6], arc);
    for (size_t k = 0; k < arcs; k++)
      weight[arc[k].a][arc[k].b] = weight[arc[k].b][arc[k].a] = arc[k].weight;
    must_match(n, arc, arcs, mate, tight);
    const int64_t got = weight_of(n, mate, arc, arcs), want = brute_force(n, weight);
    if (got != want)
      fail_msg("graph %u of %u vertices: weight %ld, not %ld", i, n, (long)got, (long)want);
    for (size_t k = 0; k < arcs; k++)
      assert_true(mate[arc[k].a] != arc[k].b || tight[k]);
  }
}

/* An arc that is not tight belongs to no optimal matching: forcing it reduces the weight. */
static void arcs_that_are_not_tight_are_in_no_best_matching(void **state)
{
  (void)state;
  struct rng r = rng_new(2, 0);
  for (uint32_t i = 0; i < 600; i++) {
    struct blossom_arc arc[MOST * MOST];
    bool tight[MOST * MOST];
    uint32_t mate[MOST];
    int64_t weight[MOST][MOST] = {{0}};
    const uint32_t n = 4 + i % 7;
    const size_t arcs = random_arcs(&r, n, 600, 1 + i % 4, arc);
    for (size_t k = 0; k < arcs; k++)
      weight[arc[k].a][arc[k].b] = weight[arc[k].b][arc[k].a] = arc[k].weight;
    must_match(n, arc, arcs, mate, tight);
    const int64_t best = weight_of(n, mate, arc, arcs);
    for (size_t k = 0; k < arcs; k++) {
      int64_t without[MOST][MOST];
      memcpy(without, weight, sizeof without);
      for (uint32_t v = 0; v < n; v++)
        without[arc[k].a][v] = without[v][arc[k].a] = without[arc[k].b][v] = without[v][arc[k].b] =
            0;
      assert_true(tight[k] || brute_force(n, without) + arc[k].weight < best);
    }
  }
}

static int64_t sum_of_known(uint32_t n, const struct blossom_arc *arc, size_t arcs)
{
  uint32_t *mate = calloc(n, sizeof *mate);
  assert_non_null(mate);
  must_match(n, arc, arcs, mate, NULL);
  const int64_t sum = weight_of(n, mate, arc, arcs);
  free(mate);
  return sum;
}

/* The vertices are shuffled, so that the first arcs chosen are rarely in an optimal matching. */
static void large_matchings_are_as_known(void **state)
{
  (void)state;
  enum { N = 2000 };
  static struct blossom_arc arc[2 * N];
  static uint32_t at[N];
  struct rng r = rng_new(3, 0);
  for (uint32_t v = 0; v < N; v++)
    at[v] = v;
  rng_shuffle(&r, at, N);
  for (uint32_t v = 0; v < N; v++) /* a ring: half of its arcs match */
    arc[v] = (struct blossom_arc){at[v], at[(v + 1) % N], 1};
  assert_int_equal(sum_of_known(N, arc, N), N / 2);
  for (uint32_t v = 0; v < N; v++) /* alternating weights 2 and 3: all arcs of weight 3 match */
    arc[v].weight = 2 + v % 2;
  assert_int_equal(sum_of_known(N, arc, N), 3 * N / 2);
  for (uint32_t v = 0; v + 1 < N; v++) /* a row of triangles */
    arc[N + v] = (struct blossom_arc){at[v], at[(v + 2) % N], 2};
  assert_int_equal(sum_of_known(N, arc, 2 * N - 1), 3 * N / 2);
  assert_int_equal(sum_of_known(N, arc, 0), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matchings_are_of_greatest_weight),
      cmocka_unit_test(arcs_that_are_not_tight_are_in_no_best_matching),
      cmocka_unit_test(large_matchings_are_as_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

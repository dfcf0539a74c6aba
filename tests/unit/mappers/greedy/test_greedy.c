#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/numeric/rng.h"
#include "mappers/mapper.h"
#include "tests/unit/opened.h"

enum { MOST = 48, NOWHERE = -1 };

/* A reference implementation: bytes between ranks in both directions, and the placement so far. */
struct reference {
  uint32_t ranks, hosts, per_host;
  const struct topology *topology;
  uint64_t bytes[MOST][MOST];
  int host[MOST];
};

/* The lower rank of the heaviest pair of unplaced ranks; if there is no traffic, the first unplaced
 * rank. */
static uint32_t starter(const struct reference *x)
{
  uint32_t best = MOST;
  uint64_t most = 0;
  for (uint32_t a = 0; a < x->ranks; a++)
    for (uint32_t b = a + 1; b < x->ranks; b++)
      if (x->host[a] == NOWHERE && x->host[b] == NOWHERE && x->bytes[a][b] > most) {
        most = x->bytes[a][b];
        best = a;
      }
  for (uint32_t r = 0; best == MOST; r++)
    if (x->host[r] == NOWHERE)
      best = r;
  return best;
}

/* The unplaced rank with the most bytes to placed ranks; starter() if there is none. */
static uint32_t next_rank(const struct reference *x)
{
  uint32_t best = MOST;
  uint64_t most = 0;
  for (uint32_t r = 0; r < x->ranks; r++) {
    uint64_t bytes = 0;
    for (uint32_t q = 0; q < x->ranks; q++)
      bytes += x->host[q] == NOWHERE ? 0 : x->bytes[r][q];
    if (x->host[r] == NOWHERE && bytes > most) {
      most = bytes;
      best = r;
    }
  }
  return best == MOST ? starter(x) : best;
}

static int best_host(const struct reference *x, uint32_t rank)
{
  int best = NOWHERE;
  uint64_t least = 0;
  for (uint32_t h = 0; h < x->hosts; h++) {
    uint32_t used = 0;
    uint64_t cost = 0;
    for (uint32_t q = 0; q < x->ranks; q++) {
      used += x->host[q] == (int)h;
      if (x->host[q] != NOWHERE)
        cost += x->bytes[rank][q] * topology_hops(x->topology, h, (uint32_t)x->host[q]);
    }
    if (used < x->per_host && (best == NOWHERE || cost < least)) {
      best = (int)h;
      least = cost;
    }
  }
  return best;
}

/* Random sparse traffic with few different values, so that many ties occur, and with pairs of 0
 * bytes.  A small @p density gives isolated ranks and several components. */
static struct matrix random_traffic(struct reference *x, uint64_t seed, uint32_t density)
{
  struct rng rng = rng_new(seed, 1);
  struct matrix m = {.ranks = x->ranks};
  m.entry = calloc(MOST * MOST, sizeof *m.entry);
  for (uint32_t a = 0; a < x->ranks; a++)
    for (uint32_t b = 0; b < x->ranks; b++)
      if (rng_below(&rng, 100) < density) {
        const uint64_t bytes = rng_below(&rng, 4);
        m.entry[m.count++] = (struct matrix_entry){a, b, 1, bytes};
        x->bytes[a][b] += a == b ? 0 : bytes;
        x->bytes[b][a] += a == b ? 0 : bytes;
      }
  return m;
}

static void check_case(const char *spec, uint32_t ranks, uint32_t per_host, uint64_t seed)
{
  struct platform *p = opened_platform(spec);
  struct reference x = {.ranks = ranks,
                        .hosts = platform_hosts(p),
                        .per_host = per_host,
                        .topology = platform_topology(p)};
  struct matrix traffic = random_traffic(&x, seed, 2 + 9 * (uint32_t)(seed % 5));
  const struct mapper_input in = {
      .platform = p, .traffic = &traffic, .ranks = ranks, .ranks_per_host = per_host};
  struct mapping m = {0};
  struct err e;
  assert_int_equal(mapper_run("greedy", &in, &m, &e), OK);
  assert_int_equal(mapping_check(&m, p, per_host, &e), OK);
  for (uint32_t r = 0; r < ranks; r++)
    x.host[r] = NOWHERE;
  for (uint32_t i = 0; i < ranks; i++) {
    const uint32_t rank = next_rank(&x);
    x.host[rank] = best_host(&x, rank);
    if (m.host[rank] != (uint32_t)x.host[rank])
      fail_msg("%s, seed %d, step %u: rank %u", spec, (int)seed, i, rank);
  }
  mapping_clear(&m);
  matrix_clear(&traffic);
  platform_free(p);
}

static void each_step_agrees_with_a_full_search(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    uint32_t ranks, per_host;
  } rows[] = {{"torus:4x4", 16, 1},   {"torus:4x4", 11, 1},  {"torus:3x3x3", 27, 1},
              {"mesh:5x4", 20, 1},    {"mesh:3x2x2", 36, 3}, {"mesh:2x2", 5, 4},
              {"hypercube:5", 32, 1}, {"torus:9", 9, 1},     {"torus:1", 4, 4}};
  for (size_t i = 0; i < COUNT(rows); i++)
    for (uint64_t seed = 0; seed < 15; seed++)
      check_case(rows[i].spec, rows[i].ranks, rows[i].per_host, seed);
}

static void the_heaviest_pair_is_on_neighbours(void **state)
{
  (void)state;
  struct matrix_entry entry[] = {{0, 1, 1, 5}, {2, 3, 1, 6}, {3, 2, 1, 1}, {5, 4, 1, 6}};
  const struct matrix traffic = {.ranks = 6, .count = COUNT(entry), .entry = entry};
  static const uint32_t want[] = {4, 5, 0, 1, 2, 3};
  struct platform *p = opened_platform("mesh:6");
  const struct mapper_input in = {
      .platform = p, .traffic = &traffic, .ranks = 6, .ranks_per_host = 1};
  struct mapping m = {0};
  struct err e;
  assert_int_equal(mapper_run("greedy", &in, &m, &e), OK);
  assert_memory_equal(m.host, want, sizeof want);
  mapping_clear(&m);
  platform_free(p);
}

static void bad_input_is_refused(void **state)
{
  (void)state;
  struct matrix_entry far[] = {{0, 4, 1, 5}}, much[] = {{0, 1, 1, (uint64_t)INT64_MAX}};
  const struct matrix beyond = {.ranks = 5, .count = 1, .entry = far},
                      heavy = {.ranks = 2, .count = 1, .entry = much};
  static const char *const why[] = {
      "traffic between ranks 0 and 4, but there are 4 ranks",
      "mapper 'greedy': 9223372036854775807 bytes times up to 3 hops exceed 2^64",
      "mapper 'greedy' needs the traffic of a trace or a matrix"};
  const struct matrix *const traffic[] = {&beyond, &heavy, NULL};
  struct platform *p = opened_platform("mesh:4");
  for (size_t i = 0; i < COUNT(why); i++) {
    const struct mapper_input in = {
        .platform = p, .traffic = traffic[i], .ranks = 4, .ranks_per_host = 1};
    struct mapping m = {.ranks = 99};
    struct err e;
    assert_int_equal(mapper_run("greedy", &in, &m, &e), FAIL);
    assert_string_equal(e.text, why[i]);
    assert_int_equal(m.ranks, 99);
  }
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_step_agrees_with_a_full_search),
      cmocka_unit_test(the_heaviest_pair_is_on_neighbours),
      cmocka_unit_test(bad_input_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

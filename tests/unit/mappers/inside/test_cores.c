#include "mappers/inside/cores.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/numeric/rng.h"

/* A random permutation of the ranks of a ring of groups: heavy traffic within groups of 4, less
 * within groups of 8, and a little between successive ranks. */
static void make_traffic(struct matrix *m, const uint32_t *rank, uint32_t n)
{
  *m = (struct matrix){.ranks = n};
  m->entry = calloc((size_t)n * n, sizeof *m->entry);
  uint32_t *at = calloc(n, sizeof *at);
  for (uint32_t i = 0; i < n; i++)
    at[rank[i]] = i;
  m->count = 0;
  for (uint32_t r = 0; r < n; r++)
    for (uint32_t s = 0; s < n; s++) {
      const uint32_t i = at[r], k = at[s];
      const uint64_t bytes = i / 4 == k / 4 ? 1000 : i / 8 == k / 8 ? 100 : i + 1 == k ? 1 : 0;
      if (r != s && bytes > 0)
        m->entry[m->count++] = (struct matrix_entry){r, s, 1, bytes};
    }
  free(at);
}

static struct inside *node(void)
{
  struct inside *in;
  struct err e;
  assert_int_equal(inside_new(&in, "pack:2 numa:2 core:4", &e), OK);
  return in;
}

/* Groups of 4 are found again as NUMA nodes, pairs of them as packages. */
static void groups_are_found(void **state)
{
  (void)state;
  struct inside *in = node();
  for (uint64_t seed = 1; seed <= 20; seed++) {
    uint32_t rank[32], host[32], core[32];
    struct rng rng = rng_new(seed, 0);
    struct matrix traffic;
    struct err e;
    for (uint32_t i = 0; i < 32; i++)
      rank[i] = i;
    rng_shuffle(&rng, rank, 32);
    make_traffic(&traffic, rank, 32);
    for (uint32_t i = 0; i < 32; i++)
      host[rank[i]] = i / 16;
    const struct mapping nodes = {.ranks = 32, .host = host};
    const struct cores_request q = {.inside = in, .nodes = &nodes, .traffic = &traffic};
    assert_int_equal(cores_assign(&q, core, &e), OK);
    for (uint32_t i = 0; i < 32; i++)
      for (uint32_t k = 0; k < i; k++) {
        if (i / 16 != k / 16)
          continue;
        assert_int_not_equal(core[rank[i]], core[rank[k]]);
        assert_int_equal(i / 4 == k / 4, core[rank[i]] / 4 == core[rank[k]] / 4);
        assert_int_equal(i / 8 == k / 8, core[rank[i]] / 8 == core[rank[k]] / 8);
      }
    free(traffic.entry);
  }
  inside_free(in);
}

/* The default choice gives the same cores for any number of threads.  CORES_SAME gives the same
 * cores on each node, CORES_ORDER the cores in order. The default takes no more seconds than
 * CORES_SAME, and CORES_SAME no more than CORES_ORDER. */
static void each_choice_of_cores_keeps_its_promise(void **state)
{
  (void)state;
  struct inside *in = node();
  uint32_t rank[64], host[64], core[3][64];
  struct rng rng = rng_new(7, 0);
  struct matrix traffic;
  struct err e;
  for (uint32_t i = 0; i < 64; i++)
    rank[i] = i;
  rng_shuffle(&rng, rank, 64);
  make_traffic(&traffic, rank, 64);
  for (uint32_t r = 0; r < 64; r++)
    host[r] = r / 16;
  const struct mapping nodes = {.ranks = 64, .host = host};
  struct cores_request q = {.inside = in, .nodes = &nodes, .traffic = &traffic, .threads = 1};
  assert_int_equal(cores_assign(&q, core[0], &e), OK);
  q.threads = 3;
  assert_int_equal(cores_assign(&q, core[1], &e), OK);
  assert_memory_equal(core[0], core[1], sizeof core[0]);
  q.choice = CORES_SAME;
  assert_int_equal(cores_assign(&q, core[1], &e), OK);
  for (uint32_t r = 16; r < 64; r++)
    assert_int_equal(core[1][r], core[1][r - 16]);
  q.choice = CORES_ORDER;
  assert_int_equal(cores_assign(&q, core[2], &e), OK);
  for (uint32_t r = 0; r < 64; r++)
    assert_int_equal(core[2][r], r % 16);
  assert_true(cores_seconds(&q, core[0]) <= cores_seconds(&q, core[1]));
  assert_true(cores_seconds(&q, core[1]) <= cores_seconds(&q, core[2]));
  free(traffic.entry);
  inside_free(in);
}

static void crowded_cores_are_repaired(void **state)
{
  (void)state;
  struct inside *in = node();
  uint32_t host[16], core[16], moved = 0, seen = 0;
  struct err e;
  for (uint32_t r = 0; r < 16; r++) {
    host[r] = 3;
    core[r] = r < 4 ? 5 : r;
  }
  const struct mapping nodes = {.ranks = 16, .host = host};
  assert_int_equal(cores_repair(in, &nodes, 1, core, &moved, &e), OK);
  assert_int_equal(core[0], 5);
  assert_int_equal(moved, 4);
  for (uint32_t r = 0; r < 16; r++)
    seen |= 1u << core[r];
  assert_int_equal(seen, 0xffff);
  inside_free(in);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(groups_are_found),
      cmocka_unit_test(each_choice_of_cores_keeps_its_promise),
      cmocka_unit_test(crowded_cores_are_repaired),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

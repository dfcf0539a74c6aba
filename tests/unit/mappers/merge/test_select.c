#include "mappers/merge/select.h"

#include <string.h>

#include "mappers/merge/grid.h"
#include "tests/unit/mappers/merge.h"

/* The matrix Comm by definition: symmetric and dense. */
static uint64_t *comm_of(const struct matrix *m)
{
  uint64_t *comm = calloc((size_t)m->ranks * m->ranks, sizeof *comm);
  assert_non_null(comm);
  for (size_t i = 0; i < m->count; i++) {
    const struct matrix_entry *x = &m->entry[i];
    comm[x->src * m->ranks + x->dst] += x->src == x->dst ? 0 : x->bytes;
    comm[x->dst * m->ranks + x->src] += x->src == x->dst ? 0 : x->bytes;
  }
  return comm;
}

static struct merge_comm must_make(const struct matrix *m, int threads)
{
  struct merge_grid g;
  struct merge_comm c;
  struct err e;
  assert_int_equal(merge_grid_tasks(&g, m->ranks, m, &e), OK);
  assert_int_equal(merge_comm_new(&c, m->ranks, m, g.row, threads, &e), OK);
  merge_grid_clear(&g);
  return c;
}

static void expect_comm(const struct merge_comm *c, const uint64_t *want)
{
  uint64_t *got = calloc((size_t)c->groups * c->groups, sizeof *got);
  assert_non_null(got);
  for (uint32_t g = 0; g < c->groups; g++)
    for (size_t i = c->row[g]; i < c->row[g + 1]; i++) {
      if (c->bytes[i] == 0)
        continue;
      assert_true(c->peer[i] > g && c->peer[i] < c->groups);
      assert_int_equal(got[g * c->groups + c->peer[i]], 0);
      got[g * c->groups + c->peer[i]] = got[c->peer[i] * c->groups + g] = c->bytes[i];
    }
  assert_memory_equal(got, want, (size_t)c->groups * c->groups * sizeof *got);
  free(got);
}

/* Sparse matrices, and matrices that are dense enough for blocks but have rows that are not
 * full. */
static void comm_has_both_directions(void **state)
{
  (void)state;
  static const struct {
    uint32_t ranks, chance;
  } rows[] = {{1, 1000},  {2, 1000}, {40, 0},    {40, 100},
              {40, 1000}, {300, 20}, {600, 450}, {600, 700}};
  struct rng r = rng_new(13, 0);
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct matrix m = merge_random_traffic(&r, rows[i].ranks, rows[i].chance);
    uint64_t *want = comm_of(&m);
    for (int threads = 1; threads <= 2; threads++) {
      struct merge_comm c = must_make(&m, threads);
      expect_comm(&c, want);
      merge_comm_clear(&c);
    }
    free(want);
    matrix_clear(&m);
  }
}

static void contraction_adds_up(void **state)
{
  (void)state;
  enum { RANKS = 60, GROUPS = 13 };
  struct rng r = rng_new(14, 0);
  struct matrix m = merge_random_traffic(&r, RANKS, 300);
  struct merge_comm c = must_make(&m, 1);
  uint64_t *single = comm_of(&m), want[GROUPS * GROUPS] = {0};
  uint32_t parent[RANKS];
  for (uint32_t i = 0; i < RANKS; i++)
    parent[i] = (uint32_t)rng_below(&r, GROUPS);
  for (uint32_t a = 0; a < RANKS; a++)
    for (uint32_t b = 0; b < RANKS; b++)
      if (parent[a] != parent[b])
        want[parent[a] * GROUPS + parent[b]] += single[a * RANKS + b];
  struct err e;
  assert_int_equal(merge_comm_contract(&c, parent, GROUPS, &e), OK);
  expect_comm(&c, want);
  merge_comm_clear(&c);
  matrix_clear(&m);
  free(single);
}

static bool talks(const uint64_t *comm, uint32_t n, uint32_t g)
{
  for (uint32_t k = 0; k < n; k++)
    if (comm[g * n + k] > 0)
      return true;
  return false;
}

/* Priority of a pair: twice its bytes; 1 if it has none and exactly one of the groups has
 * traffic. */
static uint64_t rank_of(const uint64_t *comm, uint32_t n, uint32_t a, uint32_t b)
{
  const uint64_t bytes = comm[a * n + b];
  return 2 * bytes + (bytes == 0 && talks(comm, n, a) != talks(comm, n, b));
}

/* The best allowed pair, by trying all pairs. */
static bool best_pair(const uint64_t *comm, uint32_t n, const uint8_t *shape, const bool *taken,
                      const struct merge_step *step, uint32_t *low, uint32_t *high)
{
  bool found = false;
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = a + 1; b < n; b++) {
      uint32_t merged;
      if (taken[a] || taken[b] || !merge_plan_fits(step, shape[a], shape[b], &merged) ||
          step->quota[merged] == 0 ||
          (found && rank_of(comm, n, a, b) <= rank_of(comm, n, *low, *high)))
        continue;
      *low = a;
      *high = b;
      found = true;
    }
  return found;
}

static void expect_greedy(const struct merge_pair *pair, uint32_t count, const uint64_t *comm,
                          uint32_t n, const uint8_t *shape, struct merge_step step)
{
  bool taken[128] = {false};
  uint32_t partner[128], low = 0, high = 0;
  memset(partner, 0xff, sizeof partner);
  while (best_pair(comm, n, shape, taken, &step, &low, &high)) {
    uint32_t merged;
    merge_plan_fits(&step, shape[low], shape[high], &merged);
    step.quota[merged]--;
    taken[low] = taken[high] = true;
    partner[low] = high;
    partner[high] = low;
  }
  uint32_t k = 0;
  for (uint32_t g = 0; g < n; g++) {
    if (partner[g] < g)
      continue;
    assert_true(k < count);
    const bool swapped = pair[k].first != g;
    assert_int_equal(swapped ? pair[k].second : pair[k].first, g);
    assert_int_equal(swapped ? pair[k].first : pair[k].second, partner[g]);
    if (swapped)
      assert_true(merge_plan_length(&step, shape[partner[g]], step.axis) >
                  merge_plan_length(&step, shape[g], step.axis));
    k++;
  }
  assert_int_equal(k, count);
}

/* All iterations of several plans, with the shapes of groups in random order. */
static void selection_is_greedy(void **state)
{
  (void)state;
  static const char *const spec[] = {"mesh:4x4x4", "mesh:7x5", "torus:3x3x3", "mesh:11",
                                     "mesh:9x10"};
  static const uint32_t chance[] = {10, 50, 800}; /* 10: many groups have no traffic */
  struct rng r = rng_new(15, 0);
  for (size_t i = 0; i < COUNT(spec) * 8; i++) {
    struct topology *t = NULL;
    struct err e;
    assert_int_equal(topology_new(&t, spec[i / 8], &e), OK);
    struct merge_plan p;
    merge_plan_init(&p, t);
    uint8_t shape[128];
    uint32_t n = p.hosts, count = 0;
    memset(shape, (int)merge_plan_single(&p), sizeof shape);
    for (uint32_t k = 0; k < p.iterations; k++) {
      struct matrix m = merge_random_traffic(&r, n, chance[i % 3]);
      struct merge_comm c = must_make(&m, 1);
      uint64_t *comm = comm_of(&m);
      struct merge_step step;
      struct merge_pair pair[128];
      merge_plan_step(&p, k, &step);
      assert_int_equal(merge_select_pairs(&c, shape, &step, pair, &count, &e), OK);
      expect_greedy(pair, count, comm, n, shape, step);
      for (uint32_t g = 0; g < count; g++)
        shape[g] = (uint8_t)pair[g].shape;
      n = count;
      free(comm);
      merge_comm_clear(&c);
      matrix_clear(&m);
    }
    assert_int_equal(n, 1);
    topology_free(t);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(comm_has_both_directions),
      cmocka_unit_test(contraction_adds_up),
      cmocka_unit_test(selection_is_greedy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

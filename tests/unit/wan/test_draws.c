/* The selections of a process, revealed one at a time, compared with whole graphs. */
#include "wan/draws.h"

#include <math.h>

#include "tests/unit/wan/grid_case.h"
#include "wan/bounding.h"

enum { N = 8, SETS = 1 << N, RUNS = 20000 };

/* Number of times that a process opened each set of connections. */
struct counts {
  uint32_t of[SETS];
};

static void count_whole(const struct processes *p, uint32_t beta, uint32_t process,
                        struct counts *out)
{
  for (uint64_t seed = 0; seed < RUNS; seed++) {
    struct bounding b;
    struct err e;
    uint32_t set = 0;
    const struct bounding_input in = {.processes = p, .beta = beta, .seed = seed};
    assert_int_equal(bounding_new(&b, &in, &e), OK);
    for (size_t i = b.graph.first[process]; i < b.graph.first[process + 1]; i++)
      set |= (uint32_t)b.graph.edge[i].opened << b.graph.edge[i].to;
    out->of[set]++;
    bounding_clear(&b);
  }
}

static void count_revealed(const struct processes *p, uint32_t beta, uint32_t process,
                           struct counts *out)
{
  struct draws_plan plan;
  struct draws d;
  struct err e;
  assert_int_equal(draws_plan_new(&plan, p, beta, &e), OK);
  assert_int_equal(draws_new(&d, &plan, &e), OK);
  for (uint64_t graph = 0; graph < RUNS; graph++) {
    uint32_t set = 0;
    draws_begin(&d, 1, graph);
    while (draws_more(&d, process)) {
      const uint32_t q = draws_reveal(&d, process);
      assert_true(q == DRAWS_NONE || (q < N && q != process && (set >> q & 1) == 0));
      set |= q == DRAWS_NONE ? 0 : UINT32_C(1) << q;
    }
    out->of[set]++;
  }
  draws_clear(&d);
  draws_plan_clear(&plan);
}

/* Random RTTs of @p values different values, which cross the borders of clusters and blocks. */
static void tie(struct processes *p, uint64_t values, uint64_t seed)
{
  struct rng r = rng_new(seed, values);
  for (size_t i = 0; i < (size_t)p->n * p->n; i++)
    p->rtt_ps[i] = 1 + rng_below(&r, values);
}

/* Each set of connections is equally probable, within 5 sigma of the difference. */
static void sets_have_equal_probabilities(void **state)
{
  (void)state;
  static const struct {
    uint32_t n, beta;
    unsigned closed;
    uint64_t values; /* number of RTT values; 0: RTTs of the clusters */
  } cases[] = {{8, 1, CASE_OPEN, 0}, {8, 2, CASE_3FW, 0}, {8, 3, CASE_OPEN, 0},
               {8, 3, CASE_3FW, 2},  {8, 2, CASE_3FW, 3}, {8, 3, CASE_OPEN, 1},
               {8, 8, CASE_3FW, 1},  {7, 1, CASE_3FW, 2}, {7, 2, CASE_OPEN, 3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (uint32_t process = 0; process < N; process += 3) {
      struct processes p = case_grid(N, cases[i].closed);
      struct counts whole = {{0}}, revealed = {{0}};
      p.n = cases[i].n; /* with 7 processes, the last block is incomplete */
      if (cases[i].values > 0)
        tie(&p, cases[i].values, i);
      count_whole(&p, cases[i].beta, process, &whole);
      count_revealed(&p, cases[i].beta, process, &revealed);
      for (uint32_t set = 0; set < SETS; set++) {
        const double a = whole.of[set], b = revealed.of[set];
        if (fabs(a - b) > 5 * sqrt(a + b))
          fail_msg("case %zu, process %u, set %x: %g and %g of %d", i, process, set, a, b, RUNS);
      }
      processes_clear(&p);
    }
}

/* Compares the probability of no connection to another cluster with its rate in whole graphs. */
static void chances_are_exact(void **state)
{
  (void)state;
  struct err e;
  for (uint32_t beta = 1; beta <= 3; beta++)
    for (uint32_t process = 0; process < N; process += 2) {
      struct processes p = case_grid(N, CASE_3FW);
      struct counts whole = {{0}};
      struct draws_plan plan;
      count_whole(&p, beta, process, &whole);
      assert_int_equal(draws_plan_new(&plan, &p, beta, &e), OK);
      const double none = draws_none_outside(&plan, process);
      double inside = 0;
      for (uint32_t set = 0; set < SETS; set++)
        inside += (set & ~(UINT32_C(3) << (process & ~1u))) == 0 ? whole.of[set] : 0;
      if (fabs(inside / RUNS - none) > 4 * sqrt(none * (1 - none) / RUNS))
        fail_msg("beta %u, process %u: %g, and %g of %d", beta, process, none, inside, RUNS);
      draws_plan_clear(&plan);
      processes_clear(&p);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sets_have_equal_probabilities),
      cmocka_unit_test(chances_are_exact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

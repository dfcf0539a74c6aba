#include "common/numeric/rng.h"
#include "wan/connectivity.h"

#include <math.h>

#include "tests/unit/count.h"
#include "tests/unit/wan/grid_case.h"
#include "wan/bounding.h"

static struct connectivity must_run(const struct processes *p, uint32_t beta, uint64_t graphs,
                                    uint32_t threads)
{
  struct connectivity c;
  struct err e;
  const struct connectivity_input in = {p, beta, 7, graphs, threads};
  if (connectivity_run(&c, &in, &e) != OK)
    fail_msg("%s", e.text);
  return c;
}

/* The probability that at least one of two clusters, each with probability x, is cut off. */
static double either(double x)
{
  return 2 * x - x * x;
}

/* Within 3 sigma; no failures if fewer than 1e-3 graphs are expected to fail. */
static void check_simulation(const struct connectivity *c, double closed)
{
  const double n = (double)c->graphs, sigma = sqrt(closed * (1 - closed) / n);
  if (closed * n < 1e-3)
    assert_int_equal(c->disconnected, 0);
  else if (fabs(c->probability - closed) > 3 * sigma)
    fail_msg("%g of %g graphs, closed form %g", c->probability * n, n, closed);
}

/* A is the only open cluster.  It is the nearest cluster of B and C.  For D, A is in the farthest
 * block, together with B. */
static void three_firewalls_agree_with_the_closed_form(void **state)
{
  (void)state;
  for (uint32_t n = 8; n <= 256; n *= 2)
    for (uint32_t beta = 1; beta <= 4; beta++) {
      struct processes p = case_grid(n, CASE_3FW);
      const struct connectivity c = must_run(&p, beta, n <= 32 ? 20000 : 2000, 2);
      if (beta == 1)
        assert_true(fabs(c.cut_off_probability / pow(2, -(double)n / 4) - 1) < 1e-12);
      check_simulation(&c, c.cut_off_probability);
      processes_clear(&p);
    }
}

static void rare_cut_offs_are_exact(void **state)
{
  (void)state;
  const unsigned only_c_is_open = 11; /* then A and B may both be cut off */
  const double one = pow(70, -4), expected[] = {one, either(one)};
  for (int i = 0; i < 2; i++) {
    struct processes p = case_grid(16, i == 0 ? CASE_3FW : only_c_is_open);
    const struct connectivity c = must_run(&p, 4, 1000, 1);
    assert_true(fabs(c.cut_off_probability / expected[i] - 1) < 1e-9);
    processes_clear(&p);
  }
}

static void one_firewall_never_disconnects(void **state)
{
  (void)state;
  for (uint32_t n = 8; n <= 256; n *= 4)
    for (uint32_t beta = 1; beta <= 4; beta++) {
      struct processes p = case_grid(n, CASE_1FW);
      const struct connectivity c = must_run(&p, beta, 2000, 2);
      assert_int_equal(c.disconnected, 0);
      assert_true(c.cut_off_probability == 0 && c.low == 0 && c.high > 0);
      processes_clear(&p);
    }
}

static uint64_t draw_plainly(const struct processes *p, uint32_t beta, uint64_t graphs)
{
  uint64_t disconnected = 0;
  for (uint64_t g = 0; g < graphs; g++) {
    struct bounding b;
    struct err e;
    uint32_t component[64], components;
    const struct bounding_input in = {.processes = p, .beta = beta, .seed = 1000 + g};
    assert_int_equal(bounding_new(&b, &in, &e), OK);
    assert_int_equal(adjacency_components(&b.graph, component, &components, &e), OK);
    disconnected += components > 1;
    bounding_clear(&b);
  }
  return disconnected;
}

/* Random RTTs of @p values different values, which cross the borders of clusters. */
static void perturb(struct processes *p, uint64_t values)
{
  struct rng r = rng_new(5, values);
  for (size_t i = 0; i < (size_t)p->n * p->n; i++)
    p->rtt_ps[i] = 1 + rng_below(&r, values);
}

/* Skipping draws changes no probability: whole graphs give the same, within 4 sigma of the
 * difference. */
static void whole_graphs_agree(void **state)
{
  (void)state;
  static const struct {
    uint32_t n, beta;
    unsigned closed;
    uint64_t values; /* number of RTT values; 0: RTTs of the clusters */
  } cases[] = {{8, 1, CASE_3FW, 0},  {16, 1, CASE_3FW, 0},  {8, 2, CASE_3FW, 0},
               {12, 1, CASE_3FW, 0}, {20, 1, CASE_3FW, 0},  {12, 1, CASE_3FW, 3},
               {12, 2, CASE_3FW, 2}, {12, 1, CASE_3FW, 99}, {20, 3, 15, 0},
               {12, 1, 7, 1},        {24, 1, 15, 2},        {12, 1, CASE_1FW, 1000000}};
  const uint64_t graphs = 3000;
  uint32_t between = 0;
  for (size_t i = 0; i < COUNT(cases); i++) {
    struct processes p = case_grid(cases[i].n, cases[i].closed);
    if (cases[i].values > 0)
      perturb(&p, cases[i].values);
    const uint64_t whole = draw_plainly(&p, cases[i].beta, graphs);
    const struct connectivity c = must_run(&p, cases[i].beta, graphs, 1);
    const double a = (double)whole / (double)graphs, b = c.probability, mean = (a + b) / 2;
    if (fabs(a - b) > 4 * sqrt(2 * mean * (1 - mean) / (double)graphs))
      fail_msg("case %zu: %g of whole graphs, %g of graphs with deciding draws only", i, a, b);
    between += c.disconnected > 30 && c.disconnected < graphs - 30;
    processes_clear(&p);
  }
  assert_true(between >= 7); /* cases with probabilities far from 0 and 1 */
}

static void threads_change_nothing(void **state)
{
  (void)state;
  struct processes p = case_grid(16, CASE_3FW);
  const struct connectivity one = must_run(&p, 1, 5000, 1), three = must_run(&p, 1, 5000, 3);
  assert_true(one.disconnected > 0);
  assert_int_equal(one.disconnected, three.disconnected);
  processes_clear(&p);
}

static void extremes(void **state)
{
  (void)state;
  struct processes closed = case_grid(8, 15);
  const struct connectivity c = must_run(&closed, 4, 100, 1);
  assert_int_equal(c.disconnected, 100);
  assert_true(c.cut_off_probability == 1 && c.high == 1 && c.low > 0.95 && c.low < 1);
  for (uint32_t i = 0; i < closed.n; i++)
    closed.cluster[i] = 0; /* a single cluster has no other to be cut off from */
  assert_true(must_run(&closed, 4, 100, 1).cut_off_probability == 0);
  processes_clear(&closed);
  struct processes alone = case_grid(4, CASE_OPEN);
  alone.n = 1;
  assert_int_equal(must_run(&alone, 1, 10, 1).disconnected, 0);
  processes_clear(&alone);
}

/* For a tie of open and closed processes no closed form is given. */
static void mixed_ties_have_no_closed_form(void **state)
{
  (void)state;
  struct processes p = case_grid(8, CASE_3FW);
  perturb(&p, 1);
  assert_true(isnan(must_run(&p, 1, 10, 1).cut_off_probability));
  processes_clear(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_firewalls_agree_with_the_closed_form),
      cmocka_unit_test(rare_cut_offs_are_exact),
      cmocka_unit_test(one_firewall_never_disconnects),
      cmocka_unit_test(whole_graphs_agree),
      cmocka_unit_test(threads_change_nothing),
      cmocka_unit_test(extremes),
      cmocka_unit_test(mixed_ties_have_no_closed_form),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

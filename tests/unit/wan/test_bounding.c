#include "wan/bounding.h"

#include <math.h>
#include <string.h>

#include "tests/unit/count.h"
#include "tests/unit/wan/grid_case.h"

static struct bounding must_draw(const struct bounding_input *in)
{
  struct bounding b;
  struct err e;
  if (bounding_new(&b, in, &e) != OK)
    fail_msg("%s", e.text);
  return b;
}

static double percent(uint64_t pairs, uint32_t n)
{
  return 100.0 * (double)pairs / ((double)n * (n - 1) / 2);
}

/* Table 2 of the paper: share of selected pairs; a pair selected from both sides counts once. */
static void shares_agree_with_table_2(void **state)
{
  (void)state;
  static const struct {
    uint32_t beta;
    double percent;
  } table[] = {{2, 12.2},  {4, 20.1},  {7, 30.9},  {10, 39.1}, {15, 50.7},
               {21, 60.6}, {28, 69.4}, {38, 79.7}, {55, 89.9}, {128, 100}};
  struct processes p;
  struct err e;
  assert_int_equal(processes_random(&p, 256, 1, &e), OK);
  for (size_t i = 0; i < COUNT(table); i++) {
    struct bounding b =
        must_draw(&(struct bounding_input){.processes = &p, .beta = table[i].beta, .seed = 5});
    const double share = percent(b.selected_pairs, 256);
    if (fabs(share - table[i].percent) > 1)
      fail_msg("beta %u: %g %% of the pairs, %g in the paper", table[i].beta, share,
               table[i].percent);
    assert_int_equal(adjacency_count(&b.graph), b.selected_pairs);
    assert_int_equal(b.blocked, 0);
    bounding_clear(&b);
  }
  processes_clear(&p);
}

/* Mean number of selections per process. */
static double quota(uint32_t n, uint32_t beta)
{
  struct bounding_block block[BOUNDING_BLOCKS];
  const uint32_t count = bounding_blocks(block, n, beta);
  double sum = 0;
  for (uint32_t i = 0; i < count; i++)
    sum += block[i].whole + (double)block[i].part / block[i].unit;
  return sum;
}

/* Each process selects beta log2(n / beta) + beta - 1 others if that is an integer. */
static void quotas_agree_with_the_formula(void **state)
{
  (void)state;
  for (uint32_t n = 2; n <= 512; n *= 2)
    for (uint32_t beta = 1; beta <= n; beta *= 2)
      assert_true(quota(n, beta) == beta * log2(n / beta) + beta - 1);
  assert_true(quota(9, 1) == 3.125); /* q_8 is one of eight in its block */
  assert_true(quota(256, 300) == 255);
  assert_true(quota(1, 2) == 0);
}

/* Selections between clusters: beta n log2(clusters). */
static void each_process_selects_its_quota(void **state)
{
  (void)state;
  static const uint32_t betas[] = {1, 2, 4, 16, 64, 128, 1000};
  struct processes p = case_grid(64, CASE_3FW);
  for (size_t i = 0; i < COUNT(betas); i++) {
    struct bounding_input in = {.processes = &p, .beta = betas[i], .seed = i};
    struct bounding near = must_draw(&in);
    assert_int_equal(near.selected, 64 * quota(64, betas[i]));
    if (betas[i] <= 16)
      assert_int_equal(near.selected_between, betas[i] * 64 * 2);
    in.method = &bounding_random;
    struct bounding any = must_draw(&in);
    assert_int_equal(any.selected, near.selected);
    bounding_clear(&near);
    bounding_clear(&any);
  }
  processes_clear(&p);
}

/* With 9 processes and density 1, q_8 is selected with probability 1/8 by both methods. */
static void fractions_of_a_selection_are_probabilities(void **state)
{
  (void)state;
  static const struct bounding_method *const methods[] = {&bounding_mcmpi, &bounding_random};
  struct processes p;
  struct err e;
  assert_int_equal(processes_random(&p, 9, 1, &e), OK);
  for (size_t i = 0; i < COUNT(methods); i++) {
    uint64_t selected = 0;
    const double runs = 2000, mean = runs * 9 * 3.125;
    for (uint64_t seed = 0; seed < runs; seed++) {
      struct bounding b = must_draw(
          &(struct bounding_input){.processes = &p, .method = methods[i], .beta = 1, .seed = seed});
      selected += b.selected;
      bounding_clear(&b);
    }
    if (fabs((double)selected - mean) > 4 * sqrt(runs * 9 * 0.125 * 0.875))
      fail_msg("%s: %g selections, not about %g", methods[i]->name, (double)selected, mean);
  }
  processes_clear(&p);
}

static void the_method_all_selects_all_pairs(void **state)
{
  (void)state;
  struct processes p = case_grid(16, CASE_OPEN);
  struct bounding b =
      must_draw(&(struct bounding_input){.processes = &p, .method = &bounding_all, .beta = 1});
  assert_int_equal(b.selected, 16 * 15);
  assert_int_equal(adjacency_count(&b.graph), 16 * 15 / 2);
  assert_true(adjacency_find(&b.graph, 3, 9)->opened && adjacency_find(&b.graph, 9, 3)->opened);
  bounding_clear(&b);
  processes_clear(&p);
}

/* Each edge between clusters is opened from a side that the firewall of the peer does not block. */
static void firewalls_block_one_direction(void **state)
{
  (void)state;
  struct processes p = case_grid(64, CASE_1FW);
  struct bounding b = must_draw(&(struct bounding_input){.processes = &p, .beta = 4, .seed = 3});
  uint64_t opened = 0, into_d = 0;
  for (uint32_t i = 0; i < 64; i++)
    for (size_t k = b.graph.first[i]; k < b.graph.first[i + 1]; k++) {
      const struct adjacency_edge x = b.graph.edge[k];
      assert_true(x.opened || adjacency_find(&b.graph, x.to, i)->opened);
      assert_false(x.opened && processes_blocked(&p, i, x.to));
      opened += x.opened;
      into_d += p.cluster[i] != 3 && p.cluster[x.to] == 3;
    }
  assert_int_equal(opened, b.selected - b.blocked);
  assert_true(b.blocked > 0 && into_d > 0);
  bounding_clear(&b);
  processes_clear(&p);
}

static uint32_t degree_open(const struct bounding *b, uint32_t p, uint32_t first, uint32_t end)
{
  uint32_t n = 0;
  for (uint32_t q = first; q < end; q++) {
    const struct adjacency_edge *x = q == p ? NULL : adjacency_find(&b->graph, p, q);
    n += x != NULL && x->opened;
  }
  return n;
}

/* Partners by traffic are selected first, but only up to the share of their block. */
static void traffic_decides_within_a_block(void **state)
{
  (void)state;
  struct processes p = case_grid(64, CASE_OPEN);
  /* Process 0: the far block, clusters C and D, has two partners.  Near cluster B has one
   * partner with three times the messages of another. */
  struct matrix_entry entry[] = {{0, 17, 30, 1}, {0, 20, 10, 1}, {0, 40, 1, 1}, {0, 60, 7, 1}};
  const struct matrix m = {.ranks = 64, .count = COUNT(entry), .entry = entry};
  uint32_t first = 0, runs = 2000;
  for (uint32_t i = 0; i < runs; i++) {
    struct bounding two =
        must_draw(&(struct bounding_input){.processes = &p, .traffic = &m, .beta = 2, .seed = i});
    assert_true(adjacency_find(&two.graph, 0, 40)->opened);
    assert_true(adjacency_find(&two.graph, 0, 60)->opened);
    assert_true(adjacency_find(&two.graph, 0, 17)->opened);
    assert_true(adjacency_find(&two.graph, 0, 20)->opened);
    assert_int_equal(degree_open(&two, 0, 32, 64), 2);
    bounding_clear(&two);
    struct bounding one =
        must_draw(&(struct bounding_input){.processes = &p, .traffic = &m, .beta = 1, .seed = i});
    assert_int_equal(degree_open(&one, 0, 16, 32), 1);
    const struct adjacency_edge *x = adjacency_find(&one.graph, 0, 17);
    first += x != NULL && x->opened;
    bounding_clear(&one);
  }
  /* 0.75 +- 4 sigma */
  if (fabs(first / (double)runs - 0.75) > 4 * sqrt(0.75 * 0.25 / runs))
    fail_msg("%u of %u", first, runs);
  processes_clear(&p);
}

/* Selection is without replacement and uniform in a tie: for n = 16, each of the 8 processes in
 * the far block is equally frequent. */
static void ties_are_broken_at_random(void **state)
{
  (void)state;
  struct processes p = case_grid(16, CASE_OPEN);
  uint32_t hits[16] = {0}, runs = 4000;
  for (uint32_t i = 0; i < runs; i++) {
    struct bounding b = must_draw(&(struct bounding_input){.processes = &p, .beta = 4, .seed = i});
    for (uint32_t q = 1; q < 16; q++)
      hits[q] += degree_open(&b, 0, q, q + 1);
    bounding_clear(&b);
  }
  for (uint32_t q = 1; q < 16; q++) {
    const double want = q < 8 ? 1 : 0.5;
    if (fabs(hits[q] / (double)runs - want) > 5 * sqrt(0.25 / runs) * (want < 1))
      fail_msg("process %u: selected %u of %u times", q, hits[q], runs);
  }
  processes_clear(&p);
}

/* The order follows the estimate if there is one, not the true RTTs. */
static void estimates_order_the_others(void **state)
{
  (void)state;
  struct processes p = case_grid(16, CASE_OPEN);
  uint64_t rtt[16 * 16];
  for (uint32_t i = 0; i < 256; i++)
    rtt[i] = 1 + (i % 16 + 16 - i / 16) % 16;
  struct bounding b =
      must_draw(&(struct bounding_input){.processes = &p, .rtt_ps = rtt, .beta = 4, .seed = 1});
  for (uint32_t i = 0; i < 16; i++)
    for (uint32_t k = 1; k < 4; k++)
      assert_true(adjacency_find(&b.graph, i, (i + k) % 16)->opened);
  bounding_clear(&b);
  processes_clear(&p);
}

static void traffic_of_more_ranks_is_refused(void **state)
{
  (void)state;
  struct processes p = case_grid(8, CASE_OPEN);
  const struct matrix m = {.ranks = 9};
  struct bounding b;
  struct err e;
  const struct bounding_input in = {.processes = &p, .traffic = &m, .beta = 1};
  assert_int_equal(bounding_new(&b, &in, &e), FAIL);
  assert_string_equal(e.text, "the traffic has 9 ranks, but there are only 8 processes");
  processes_clear(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shares_agree_with_table_2),
      cmocka_unit_test(quotas_agree_with_the_formula),
      cmocka_unit_test(each_process_selects_its_quota),
      cmocka_unit_test(fractions_of_a_selection_are_probabilities),
      cmocka_unit_test(the_method_all_selects_all_pairs),
      cmocka_unit_test(firewalls_block_one_direction),
      cmocka_unit_test(traffic_decides_within_a_block),
      cmocka_unit_test(ties_are_broken_at_random),
      cmocka_unit_test(estimates_order_the_others),
      cmocka_unit_test(traffic_of_more_ranks_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

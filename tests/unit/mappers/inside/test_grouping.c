#include "mappers/inside/grouping.h"

#include <math.h>
#include <string.h>

#include "tests/unit/mappers/merge.h"

enum { SIDE = 22, RANKS = SIDE * SIDE, NODES = 16, SLOTS = 32, NEIGHBOURS = 6 };

/* A triangular lattice on a torus, as the neighbours in NPB's BT and SP: each rank sends to six. */
static void make_lattice(struct matrix *m)
{
  static const int STEP[NEIGHBOURS][2] = {{0, 1}, {1, 0}, {1, 1}, {0, -1}, {-1, 0}, {-1, -1}};
  *m = (struct matrix){.ranks = RANKS};
  m->entry = calloc((size_t)RANKS * NEIGHBOURS, sizeof *m->entry);
  for (uint32_t r = 0; r < RANKS; r++)
    for (int k = 0; k < NEIGHBOURS; k++) {
      const uint32_t row = (r / SIDE + (uint32_t)(SIDE + STEP[k][0])) % SIDE;
      const uint32_t column = (r % SIDE + (uint32_t)(SIDE + STEP[k][1])) % SIDE;
      m->entry[m->count++] = (struct matrix_entry){r, row * SIDE + column, 1, 1};
    }
}

/* The least edges that leave n vertices of the lattice: n coins touch at most floor(3 n -
 * sqrt(12 n - 3)) times (Harborth 1974). */
static uint32_t least_leaving(uint32_t n)
{
  return 6 * n - 2 * (uint32_t)floor(3.0 * n - sqrt(12.0 * n - 3));
}

/* The bytes between groups are at most 8 % above the bound for full nodes and a rest. */
static void groups_of_a_lattice_are_near_the_bound(void **state)
{
  (void)state;
  const uint32_t bound = RANKS / SLOTS * least_leaving(SLOTS) + least_leaving(RANKS % SLOTS);
  struct platform *p = merge_platform("star:16");
  struct matrix traffic;
  make_lattice(&traffic);
  const struct mapper_input in = {
      .platform = p, .traffic = &traffic, .ranks = RANKS, .ranks_per_host = SLOTS};
  const struct general_plan plan = {.effort = 1, .seed = 1};
  uint32_t between = 0, load[NODES] = {0};
  struct mapping m;
  struct err e;
  bool found;
  assert_int_equal(grouping_map(&m, &in, &plan, &found, &e), OK);
  assert_true(found);
  for (uint32_t r = 0; r < RANKS; r++)
    assert_true(++load[m.host[r]] <= SLOTS);
  for (size_t i = 0; i < traffic.count; i++)
    between += m.host[traffic.entry[i].src] != m.host[traffic.entry[i].dst];
  if (between < bound || between > 1.08 * bound)
    fail_msg("%u edges between groups, bound %u", between, bound);
  mapping_clear(&m);
  free(traffic.entry);
  platform_free(p);
}

/* One group is no choice. */
static void ranks_of_one_node_have_no_groups(void **state)
{
  (void)state;
  struct platform *p = merge_platform("star:16");
  struct matrix traffic;
  make_lattice(&traffic);
  const struct mapper_input in = {
      .platform = p, .traffic = &traffic, .ranks = RANKS, .ranks_per_host = RANKS};
  const struct general_plan plan = {.effort = 1, .seed = 1};
  struct mapping m;
  struct err e;
  bool found = true;
  assert_int_equal(grouping_map(&m, &in, &plan, &found, &e), OK);
  assert_false(found);
  free(traffic.entry);
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(groups_of_a_lattice_are_near_the_bound),
      cmocka_unit_test(ranks_of_one_node_have_no_groups),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

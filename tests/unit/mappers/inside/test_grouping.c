#include "mappers/inside/grouping.h"

#include <math.h>
#include <string.h>

#include "tests/unit/mappers/merge.h"

enum { SIDE = 22, RANKS = SIDE * SIDE, NODES = 16, SLOTS = 32, NEIGHBOURS = 6 };

/* A triangular lattice on a torus: each rank sends to six neighbours, as in NPB's BT and SP. */
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

/* The bytes between groups are at most 8 % above the bound, which assumes full nodes and one node
 * with the remaining ranks. */
static void groups_of_a_lattice_are_near_the_bound(void **state)
{
  (void)state;
  const uint32_t bound = RANKS / SLOTS * least_leaving(SLOTS) + least_leaving(RANKS % SLOTS);
  struct platform *p = opened_platform("star:16");
  struct matrix traffic;
  make_lattice(&traffic);
  const struct mapper_input in = {
      .platform = p, .traffic = &traffic, .ranks = RANKS, .ranks_per_host = SLOTS};
  const struct general_plan plan = {.effort = 1, .seed = 1};
  uint32_t between = 0, load[NODES] = {0};
  struct mapping m;
  struct err e;
  bool found;
  assert_int_equal(grouping_map(&m, &in, &plan, false, &found, &e), OK);
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

/* A torus of 8 x 8 x 16 ranks with more traffic along its longest axis, and fewer bytes over
 * distances of powers of two, as in NPB MG. */
static void make_torus(struct matrix *m)
{
  static const uint32_t AXIS[3] = {8, 8, 16}, STRIDE[3] = {1, 8, 64}, BYTES[3] = {24, 24, 60};
  *m = (struct matrix){.ranks = 1024};
  m->entry = calloc((size_t)m->ranks * 18, sizeof *m->entry);
  for (uint32_t r = 0; r < m->ranks; r++)
    for (int a = 0; a < 3; a++)
      for (uint32_t far = 1, share = 1; far < AXIS[a]; far *= 2, share *= 4) {
        const uint32_t at = r / STRIDE[a] % AXIS[a];
        const uint32_t to = r + (at + far < AXIS[a] ? far : far - AXIS[a]) * STRIDE[a];
        if (at % far == 0)
          m->entry[m->count++] = (struct matrix_entry){r, to, 1, BYTES[a] / share + 1};
      }
  matrix_sort(m);
}

/* The bytes between boxes of 2 x 2 x 8 ranks: their ranks differ in bits 0, 3, 6, 7 and 8. */
static uint64_t bytes_between_boxes(const struct matrix *m)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < m->count; i++)
    if ((m->entry[i].src ^ m->entry[i].dst) & ~UINT32_C(0x1c9))
      sum += m->entry[i].bytes;
  return sum;
}

static void groups_of_a_torus_are_no_worse_than_boxes(void **state)
{
  (void)state;
  struct platform *p = opened_platform("star:32");
  struct matrix traffic;
  make_torus(&traffic);
  const struct mapper_input in = {
      .platform = p, .traffic = &traffic, .ranks = traffic.ranks, .ranks_per_host = SLOTS};
  const struct general_plan plan = {.effort = 1, .seed = 1};
  struct mapping m;
  struct err e;
  bool found;
  for (int digits = 0; digits < 2; digits++) {
    uint64_t between = 0;
    assert_int_equal(grouping_map(&m, &in, &plan, digits > 0, &found, &e), OK);
    assert_true(found);
    for (size_t i = 0; i < traffic.count; i++)
      if (m.host[traffic.entry[i].src] != m.host[traffic.entry[i].dst])
        between += traffic.entry[i].bytes;
    assert_true(between <= bytes_between_boxes(&traffic));
    mapping_clear(&m);
  }
  free(traffic.entry);
  platform_free(p);
}

/* With all ranks on one node there is only one group, so no grouping is found. */
static void ranks_of_one_node_have_no_groups(void **state)
{
  (void)state;
  struct platform *p = opened_platform("star:16");
  struct matrix traffic;
  make_lattice(&traffic);
  const struct mapper_input in = {
      .platform = p, .traffic = &traffic, .ranks = RANKS, .ranks_per_host = RANKS};
  const struct general_plan plan = {.effort = 1, .seed = 1};
  struct mapping m;
  struct err e;
  bool found = true;
  assert_int_equal(grouping_map(&m, &in, &plan, false, &found, &e), OK);
  assert_false(found);
  free(traffic.entry);
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(groups_of_a_lattice_are_near_the_bound),
      cmocka_unit_test(groups_of_a_torus_are_no_worse_than_boxes),
      cmocka_unit_test(ranks_of_one_node_have_no_groups),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

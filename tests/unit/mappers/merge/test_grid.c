#include "mappers/merge/grid.h"

#include <string.h>

#include "mappers/merge/objective/flows.h"
#include "tests/unit/mappers/merge.h"

/* 3x2 hosts: along X, groups of 2 and 1 hosts become rows of 3.  Then Y joins the two rows. */
struct small {
  struct merge_plan plan;
  struct matrix traffic;
  struct merge_grid grid;
};

static void small_init(struct small *x)
{
  struct topology *t = NULL;
  struct err e;
  static struct matrix_entry entry[] = {{0, 0, 1, 7}, {0, 1, 1, 10}, {0, 5, 1, 20},
                                        {1, 2, 1, 0}, {4, 0, 1, 30}, {4, 1, 2, 40}};
  assert_int_equal(topology_new(&t, "mesh:3x2", &e), OK);
  merge_plan_init(&x->plan, t);
  topology_free(t);
  x->traffic = (struct matrix){.ranks = 6, .count = COUNT(entry), .entry = entry};
  assert_int_equal(merge_grid_tasks(&x->grid, 6, &x->traffic, &e), OK);
}

/* Iteration 0 joins tasks 0 and 1, joins tasks 4 and 3, and leaves 2 and 5 single. */
static void join_first(struct small *x)
{
  const uint8_t shape[6] = {1, 1, 1, 1, 1, 1};
  const struct merge_pair pair[4] = {
      {0, 1, 1}, {2, MERGE_SELECT_NONE, 0}, {4, 3, 1}, {5, MERGE_SELECT_NONE, 0}};
  struct merge_join join[4];
  struct err e;
  for (int i = 0; i < 4; i++)
    join[i].pattern[0] = join[i].pattern[1] = merge_pattern_identity(2);
  assert_int_equal(x->plan.axis[0], 0);
  assert_int_equal(merge_grid_merge(&x->grid, &x->plan, 0, shape, pair, join, 4, &e), OK);
}

static void groups_hold_their_units(void **state)
{
  (void)state;
  struct small x;
  small_init(&x);
  join_first(&x);
  static const uint32_t group[6] = {0, 0, 1, 2, 2, 3}, cell[6] = {0, 1, 0, 1, 0, 0};
  static const uint32_t unit_at[6] = {0, 1, 2, 4, 3, 5}, start[5] = {0, 2, 3, 5, 6};
  assert_memory_equal(x.grid.group, group, sizeof group);
  assert_memory_equal(x.grid.cell, cell, sizeof cell);
  assert_memory_equal(x.grid.unit_at, unit_at, sizeof unit_at);
  assert_memory_equal(x.grid.start, start, sizeof start);
  merge_grid_clear(&x.grid);
}

/* Puts a mirrored group of 2x1 above a group of 2x1, then an upside-down group of 1x2 to their
 * right. */
static void patterns_move_units(void **state)
{
  (void)state;
  struct small x;
  struct err e;
  small_init(&x);
  join_first(&x);
  const uint8_t before[4] = {1, 0, 1, 0}, after[2] = {1, 0};
  const struct merge_pair rows[2] = {{2, 0, 1}, {1, 3, 0}}, all[1] = {{0, 1, 0}};
  struct merge_join join[2];
  for (int i = 0; i < 2; i++)
    join[i].pattern[0] = join[i].pattern[1] = merge_pattern_identity(2);
  join[0].pattern[1].flip = 1;
  assert_int_equal(x.plan.axis[1], 1);
  assert_int_equal(merge_grid_merge(&x.grid, &x.plan, 1, before, rows, join, 2, &e), OK);
  join[0].pattern[1].flip = 2;
  assert_int_equal(x.plan.axis[2], 0);
  assert_int_equal(merge_grid_merge(&x.grid, &x.plan, 2, after, all, join, 1, &e), OK);
  static const uint32_t unit_at[6] = {4, 3, 5, 1, 0, 2};
  assert_memory_equal(x.grid.unit_at, unit_at, sizeof unit_at);
  merge_grid_clear(&x.grid);
}

static void blocks_exchange_the_traffic_of_their_units(void **state)
{
  (void)state;
  struct small s;
  struct merge_grid blocks;
  struct err e;
  small_init(&s);
  join_first(&s);
  assert_int_equal(merge_grid_coarsen(&blocks, &s.grid, 1, &e), OK);
  assert_int_equal(blocks.units, 4);
  static const struct matrix_entry want[] = {{0, 3, 1, 20}, {2, 0, 3, 70}};
  static const size_t row[5] = {0, 1, 1, 2, 2};
  assert_memory_equal(blocks.row, row, sizeof row);
  for (int i = 0; i < 2; i++) {
    const struct matrix_entry x = matrix_at(&blocks.own, (size_t)i);
    assert_int_equal(x.src, want[i].src);
    assert_int_equal(x.dst, want[i].dst);
    assert_int_equal(x.messages, want[i].messages);
    assert_int_equal(x.bytes, want[i].bytes);
  }
  merge_grid_clear(&blocks);
  merge_grid_clear(&s.grid);
}

static void lengths_are_in_units(void **state)
{
  (void)state;
  struct topology *t = NULL;
  struct merge_plan p;
  struct err e;
  assert_int_equal(topology_new(&t, "mesh:12x2", &e), OK);
  merge_plan_init(&p, t);
  topology_free(t);
  /* X is halved 4 times: 12, 6, 3, 1 or 2, 1. */
  static const uint32_t fine[6] = {0, 1, 1, 3, 6, 12}, blocks[6] = {1, 1, 1, 2, 4, 8};
  const struct merge_grid level[2] = {{.level = 0}, {.level = 1}};
  assert_int_equal(p.iterations, 5);
  for (uint32_t i = 0; i <= 5; i++) {
    assert_int_equal(merge_grid_length(&level[0], &p, i, 0, 0), fine[i]);
    if (i < 2)
      continue; /* blocks exist after the first two iterations */
    assert_int_equal(merge_grid_length(&level[1], &p, i, 0, 0), blocks[i]);
    assert_int_equal(merge_grid_length(&level[1], &p, i, 0, 1), 1);
  }
  assert_int_equal(merge_grid_length(&level[0], &p, 2, 1, 0), 2);
}

/* Finds the flows of each unit to the pair by scanning its row or, in long rows, by search. */
static void flows_belong_to_the_pair(void **state)
{
  (void)state;
  enum { TASKS = 64 };
  struct rng r = rng_new(16, 0);
  for (int chance = 100; chance <= 1000; chance += 300) {
    struct matrix m = merge_random_traffic(&r, TASKS, (uint32_t)chance);
    struct merge_grid g;
    struct err e;
    assert_int_equal(merge_grid_tasks(&g, TASKS, &m, &e), OK);
    const struct merge_pair p = {9, 40, 0};
    size_t count = 0, want = 0;
    for (size_t i = 0; i < m.count; i++) {
      const struct matrix_entry *x = &m.entry[i];
      want += x->bytes > 0 && ((x->src == 9 && x->dst == 40) || (x->src == 40 && x->dst == 9));
    }
    for (int h = 0; h < 2; h++) {
      struct merge_flows out[2] = {{.count = 0}};
      assert_int_equal(merge_flows_row(&g, &p, h == 0 ? 9 : 40, out, &e), OK);
      assert_int_equal(out[h].count, 0);
      assert_true(out[1 - h].count <= 1);
      count += out[1 - h].count;
      free(out[0].flow);
      free(out[1].flow);
    }
    assert_int_equal(count, want);
    assert_true(merge_flows_bound(&g, &p) >= want);
    merge_grid_clear(&g);
    matrix_clear(&m);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(groups_hold_their_units),
      cmocka_unit_test(patterns_move_units),
      cmocka_unit_test(blocks_exchange_the_traffic_of_their_units),
      cmocka_unit_test(lengths_are_in_units),
      cmocka_unit_test(flows_belong_to_the_pair),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

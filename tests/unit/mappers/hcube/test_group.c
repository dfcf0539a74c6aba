#include "mappers/hcube/group.h"

#include "tests/unit/mappers/hcube.h"

enum { MOST = 40 };

/* A random graph: a pair has 1 to 9 bytes with probability chance / 1000. */
static struct graph random_graph(struct rng *r, uint32_t tasks, uint32_t chance, struct arena *mem)
{
  struct matrix_entry entry[MOST * MOST];
  struct matrix m = {.ranks = tasks, .count = 0, .entry = entry};
  struct graph g;
  for (uint32_t a = 0; a < tasks; a++)
    for (uint32_t b = a + 1; b < tasks; b++)
      if (rng_below(r, 1000) < chance)
        entry[m.count++] = (struct matrix_entry){a, b, 1, 1 + rng_below(r, 9)};
  assert_int_equal(graph_new(&g, &m, tasks, tasks, mem), OK);
  return g;
}

static uint64_t weight_within(const struct graph *g, const uint32_t *group)
{
  uint64_t twice = 0;
  for (uint32_t t = 0; t < g->n; t++)
    for (size_t i = g->first[t]; i < g->first[t + 1]; i++)
      twice += group[t] == group[g->to[i]] ? g->bytes[i] : 0;
  return twice / 2;
}

static void groups_have_room(void **state)
{
  (void)state;
  struct rng r = rng_new(1, 0);
  for (uint32_t i = 0; i < 300; i++) {
    const uint32_t groups = 1u << i % 4, room = 1 + i % 5;
    const uint32_t tasks = groups * room - (uint32_t)rng_below(&r, groups * room);
    struct err e;
    ARENA(mem, &e);
    struct graph g = random_graph(&r, tasks, (uint32_t[]){0, 100, 400, 1000}[i / 4 % 4], &mem);
    uint32_t group[MOST], size[MOST] = {0};
    struct graph of_groups;
    assert_int_equal(group_tasks(&g, groups, room, i % 2 ? &r : NULL, group, &e), OK);
    for (uint32_t t = 0; t < tasks; t++) {
      assert_true(group[t] < groups);
      assert_true(++size[group[t]] <= room);
    }
    assert_int_equal(graph_contract(&of_groups, &g, group, groups, &mem), OK);
    uint64_t twice = 0;
    for (size_t k = 0; k < of_groups.first[groups]; k++)
      twice += of_groups.bytes[k];
    uint64_t all = 0;
    for (size_t k = 0; k < g.first[tasks]; k++)
      all += g.bytes[k];
    assert_int_equal(all - twice, 2 * weight_within(&g, group));
  }
}

/* Greatest weight of pairing the tasks of a set. */
static uint64_t best_pairs(const uint64_t weight[8][8], uint32_t set)
{
  if (set == 0)
    return 0;
  const uint32_t a = (uint32_t)__builtin_ctz(set);
  uint64_t best = 0;
  for (uint32_t b = a + 1; b < 8; b++)
    if ((set >> b & 1) != 0) {
      const uint64_t w = weight[a][b] + best_pairs(weight, set & ~(1u << a | 1u << b));
      best = w > best ? w : best;
    }
  return best;
}

static void pairs_are_the_best(void **state)
{
  (void)state;
  struct rng r = rng_new(2, 0);
  for (uint32_t i = 0; i < 200; i++) {
    struct err e;
    ARENA(mem, &e);
    struct graph g = random_graph(&r, 8, 200 + 4 * i, &mem);
    uint64_t weight[8][8] = {{0}};
    uint32_t group[8];
    for (uint32_t t = 0; t < 8; t++)
      for (size_t k = g.first[t]; k < g.first[t + 1]; k++)
        weight[t][g.to[k]] = g.bytes[k];
    assert_int_equal(group_tasks(&g, 4, 2, i % 2 ? &r : NULL, group, &e), OK);
    assert_int_equal(weight_within(&g, group), best_pairs(weight, 255));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(groups_have_room),
      cmocka_unit_test(pairs_are_the_best),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

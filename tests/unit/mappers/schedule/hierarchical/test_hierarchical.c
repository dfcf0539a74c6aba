#include <math.h>

#include "tests/unit/mappers/schedule/run.h"
#include "tests/unit/tasks/draw.h"

enum { SEEDS = 25 };

/* In descending order of speed: the second, the first, the third. */
static const struct test_group GROUPS[] = {{3, 1, 100}, {2, 2.5, 50}, {4, 0.5, 50}, {0, 0, 0}};
static const uint32_t RANK[] = {1, 0, 2};

#define PAPER "hierarchical:outer=shares,inner=costs,groups=all"

/* Both inner schedulers keep the division of work between groups. */
static void inner_schedulers_stay_in_their_groups(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    struct tasknet n = draw(seed, true);
    struct test_machine t;
    test_machine(&t, GROUPS, 1);
    struct schedule costs = test_schedule(PAPER, &n, &t),
                    ends = test_schedule("hierarchical:outer=shares,inner=ends,groups=all", &n, &t);
    for (uint32_t i = 0; i < n.elements; i++)
      assert_int_equal(t.m.class_of[costs.host[i]], t.m.class_of[ends.host[i]]);
    schedule_clear(&costs);
    schedule_clear(&ends);
    farm_clear(&t.m);
    tasknet_clear(&n);
  }
}

/* A number of groups selects the fastest ones; a number that is too large selects all. */
static void slow_groups_are_left_out(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    uint32_t groups;
  } cases[] = {
      {"hierarchical:groups=1", 1},  {"hierarchical:outer=shares,groups=1", 1},
      {"hierarchical:groups=2", 2},  {"hierarchical:outer=shares,groups=2", 2},
      {"hierarchical:groups=99", 3}, {"hierarchical:outer=shares,groups=99", 3},
  };
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    uint32_t most = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
      struct tasknet n = draw(seed, false);
      struct test_machine t;
      test_machine(&t, GROUPS, 1);
      struct schedule s = test_schedule(cases[c].spec, &n, &t);
      for (uint32_t i = 0; i < n.elements; i++) {
        const uint32_t rank = RANK[t.m.class_of[s.host[i]]];
        assert_true(rank < cases[c].groups);
        most = rank > most ? rank : most;
      }
      schedule_clear(&s);
      farm_clear(&t.m);
      tasknet_clear(&n);
    }
    assert_int_equal(most, cases[c].groups - 1);
  }
}

/* With few groups, each number of groups is tried or cannot be better, with both inner
 * schedulers. */
static void fit_is_the_best_number_of_groups(void **state)
{
  (void)state;
  static const struct {
    const char *fit, *tried[7];
  } cases[] = {
      {"hierarchical",
       {"hierarchical:groups=1", "hierarchical:groups=2", "hierarchical:groups=all"}},
      {"hierarchical:outer=shares",
       {PAPER, "hierarchical:outer=shares,inner=costs,groups=1",
        "hierarchical:outer=shares,inner=costs,groups=2",
        "hierarchical:outer=shares,inner=ends,groups=1",
        "hierarchical:outer=shares,inner=ends,groups=2",
        "hierarchical:outer=shares,inner=ends,groups=all"}},
  };
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    struct tasknet n = draw(seed, seed % 2 == 0);
    struct test_machine t;
    test_machine(&t, GROUPS, 1);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
      double least = INFINITY;
      for (size_t i = 0; cases[c].tried[i] != NULL; i++)
        least = fmin(least, test_makespan(cases[c].tried[i], &n, &t));
      assert_true(test_makespan(cases[c].fit, &n, &t) == least);
    }
    farm_clear(&t.m);
    tasknet_clear(&n);
  }
}

/* Two hosts of speed 4, and two of speed 1 behind a slow link.  By shares, a fifth of the array,
 * one element, goes to the slow hosts: a ends at 1, its output arrives there at 3, the element ends
 * at 11, and its output reaches c at 13.  On the fast hosts alone, one half of b ends at 5.  The
 * other half, whose input takes 0.02, ends at 5.02, when c starts. */
static void a_slow_group_is_not_worth_its_link(void **state)
{
  (void)state;
  static const struct test_group groups[] = {{2, 4, 100}, {2, 1, 100}, {0, 0, 0}};
  static const struct build_array arrays[] = {{"a", 1, TASKNET_A, {4, 0, 2, 1}},
                                              {"b", 4, TASKNET_A, {8, 0, 2, 1}},
                                              {"c", 1, TASKNET_A, {4, 0, 0, 1}},
                                              {.name = NULL}};
  static const struct build_stream streams[] = {
      {"s1", 1, "a", "b", 2}, {"s2", 1, "b", "c", 2}, {.name = NULL}};
  struct tasknet n = build(arrays, streams);
  struct test_machine t;
  test_machine(&t, groups, 1);
  assert_true(fabs(test_makespan(PAPER, &n, &t) - 14) < 1e-9);
  assert_true(fabs(test_makespan("hierarchical:outer=shares", &n, &t) - 6.02) < 1e-9);
  assert_true(fabs(test_makespan("hierarchical", &n, &t) - 6.02) < 1e-9);
  farm_clear(&t.m);
  tasknet_clear(&n);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inner_schedulers_stay_in_their_groups),
      cmocka_unit_test(slow_groups_are_left_out),
      cmocka_unit_test(fit_is_the_best_number_of_groups),
      cmocka_unit_test(a_slow_group_is_not_worth_its_link),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "tasks/cost.h"
#include "tests/unit/tasks/build.h"

/* Section 4.3.2: two producers, with C = 8 and O = 4 in 4 loops, and C = 10 and O = 2 in 2
 * loops, feed a consumer of each pattern.  By hand: producers of pattern A or D cost 8 + 4 = 12
 * and 12.  For B or C, the first part costs (8 + 4) / 4 = 3 and (10 + 2) / 2 = 6, and all parts
 * cost 8 + 4 / 4 = 9 and 10 + 2 / 2 = 11. */
static void dependence_costs_by_pattern(void **state)
{
  (void)state;
  static const struct {
    enum tasknet_pattern from, to;
    double start;
  } cases[] = {
      {TASKNET_A, TASKNET_A, 12}, {TASKNET_A, TASKNET_B, 12}, {TASKNET_A, TASKNET_C, 12},
      {TASKNET_A, TASKNET_D, 12}, {TASKNET_D, TASKNET_A, 12}, {TASKNET_D, TASKNET_B, 12},
      {TASKNET_B, TASKNET_A, 11}, {TASKNET_B, TASKNET_B, 3},  {TASKNET_B, TASKNET_C, 11},
      {TASKNET_B, TASKNET_D, 3},  {TASKNET_C, TASKNET_A, 11}, {TASKNET_C, TASKNET_B, 3},
      {TASKNET_C, TASKNET_C, 11}, {TASKNET_C, TASKNET_D, 3},
  };
  static const struct build_stream streams[] = {{"s", 1, "p q", "t", TASKNET_OUTPUT},
                                                {.name = NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct build_array arrays[] = {{"p", 1, cases[i].from, {8, 0, 4, 4}},
                                         {"q", 1, cases[i].from, {10, 0, 2, 2}},
                                         {"t", 1, cases[i].to, {1, TASKNET_ARRIVING, 0, 1}},
                                         {.name = NULL}};
    struct tasknet n = build(arrays, streams);
    struct dependence d;
    struct err e;
    assert_int_equal(dependence_costs(&d, &n, &e), OK);
    assert_true(d.start[0] == 0 && d.start[1] == 0);
    if (d.start[2] != cases[i].start)
      fail_msg("case %zu: %g", i, d.start[2]);
    dependence_clear(&d);
    tasknet_clear(&n);
  }
}

/* Costs add up along a pipeline; a task with two input streams waits for both. */
static void dependence_costs_along_a_network(void **state)
{
  (void)state;
  static const struct build_array arrays[] = {{"a", 1, TASKNET_C, {10, 0, 10, 10}},
                                              {"b", 1, TASKNET_B, {20, TASKNET_ARRIVING, 5, 5}},
                                              {"c", 2, TASKNET_A, {1, TASKNET_ARRIVING, 2, 1}},
                                              {"d", 1, TASKNET_D, {3, TASKNET_ARRIVING, 0, 3}},
                                              {.name = NULL}};
  static const struct build_stream streams[] = {{"ab", 1, "a", "b", TASKNET_OUTPUT},
                                                {"bc", 1, "b", "c", TASKNET_OUTPUT},
                                                {"bd", 1, "b", "d", TASKNET_OUTPUT},
                                                {"cd", 1, "c", "d", TASKNET_OUTPUT},
                                                {.name = NULL}};
  struct tasknet n = build(arrays, streams);
  struct dependence d;
  struct err e;
  double path;
  assert_int_equal(dependence_costs(&d, &n, &e), OK);
  const double start[] = {0, (10 + 10) / 10.0, 2 + 20 + 5 / 5.0, 23, 23 + 1 + 2};
  for (uint32_t i = 0; i < n.elements; i++)
    assert_true(d.start[i] == start[i]);
  assert_int_equal(tasknet_critical_path(&n, &path, &e), OK);
  assert_true(path == 10 + 20 + 1 + 3);
  dependence_clear(&d);
  tasknet_clear(&n);
}

/* Element k waits for its own lane only. */
static void elements_wait_for_their_lane_only(void **state)
{
  (void)state;
  struct tasknet n = {0};
  struct err e = {""};
  struct dependence d;
  const struct tasknet_cost costs[] = {{1, 0, 2, 1}, {30, 0, 4, 1}};
  const struct tasknet_new_array from = {.name = "from", .count = 2, .costs = costs};
  const struct tasknet_new_array to = {
      .name = "to", .count = 4, .cost = {1, TASKNET_ARRIVING, 0, 1}};
  assert_int_equal(tasknet_add_array(&n, &from, &e), OK);
  assert_int_equal(tasknet_add_array(&n, &to, &e), OK);
  assert_int_equal(tasknet_add_stream(&n, "s", 2, 0, &e), OK);
  assert_int_equal(tasknet_add_producer(&n, 0, TASKNET_OUTPUT, &e), OK);
  assert_int_equal(tasknet_add_consumer(&n, 1, &e), OK);
  assert_int_equal(tasknet_seal(&n, &e), OK);
  assert_int_equal(dependence_costs(&d, &n, &e), OK);
  const double start[] = {0, 0, 3, 3, 34, 34};
  for (uint32_t i = 0; i < n.elements; i++)
    assert_true(d.start[i] == start[i]);
  const struct tasknet_cost sum = tasknet_array_sum(&n, 1);
  assert_true(sum.in == 2 * 2 + 2 * 4 && sum.compute == 4);
  assert_true(tasknet_stream_volume(&n, 0) == 6);
  dependence_clear(&d);
  tasknet_clear(&n);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dependence_costs_by_pattern),
      cmocka_unit_test(dependence_costs_along_a_network),
      cmocka_unit_test(elements_wait_for_their_lane_only),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

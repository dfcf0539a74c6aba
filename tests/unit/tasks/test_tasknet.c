#include "common/mem.h"
#include "tests/unit/tasks/build.h"

#define COST(C, I, O)                                                                              \
  {                                                                                                \
    C, I, O, 1                                                                                     \
  }

/* A fork into an array, element by element into another one, and a join (figure 2 of the paper). */
static const struct build_array SURVEY[] = {{"gen", 1, TASKNET_A, COST(5, 0, 7)},
                                            {"sim", 4, TASKNET_A, COST(2, TASKNET_ARRIVING, 3)},
                                            {"plot", 4, TASKNET_A, COST(1, TASKNET_ARRIVING, 2)},
                                            {"join", 1, TASKNET_A, COST(9, TASKNET_ARRIVING, 0)},
                                            {.name = NULL}};
static const struct build_stream SURVEY_STREAMS[] = {{"s1", 1, "gen", "sim", TASKNET_OUTPUT},
                                                     {"s2", 4, "sim", "plot", TASKNET_OUTPUT},
                                                     {"s3", 1, "plot", "join", TASKNET_OUTPUT},
                                                     {.name = NULL}};

static void elements_lanes_and_volumes(void **state)
{
  (void)state;
  struct tasknet n = build(SURVEY, SURVEY_STREAMS);
  assert_int_equal(n.elements, 10);
  assert_int_equal(n.lanes, 6);
  assert_int_equal(n.array_of[4], 1);
  assert_int_equal(n.array_of[5], 2);
  const double volume[] = {7, 3, 3, 3, 3, 8};
  for (uint32_t l = 0; l < n.lanes; l++)
    assert_true(n.volume[l] == volume[l]);
  assert_true(tasknet_element_cost(&n, 2)->in == 7);
  assert_true(tasknet_element_cost(&n, 6)->in == 3);
  assert_true(tasknet_element_cost(&n, 9)->in == 8);
  assert_int_equal(tasknet_inputs(&n, 0), 0);
  assert_int_equal(tasknet_outputs(&n, 2), 1);
  assert_int_equal(tasknet_lane(&n, tasknet_input(&n, 2, 0), 3), 4);
  tasknet_clear(&n);
}

/* Two tasks that feed three of six tasks each: nested data parallelism. */
static void lanes_between_one_and_all_join_blocks(void **state)
{
  (void)state;
  static const struct build_array arrays[] = {{"in", 2, TASKNET_A, COST(1, 0, 5)},
                                              {"out", 6, TASKNET_A, COST(1, TASKNET_ARRIVING, 0)},
                                              {.name = NULL}};
  static const struct build_stream streams[] = {{"s", 2, "in", "out", TASKNET_OUTPUT},
                                                {.name = NULL}};
  struct tasknet n = build(arrays, streams);
  uint32_t first;
  assert_int_equal(tasknet_lane(&n, &n.consumer[0], 2), 0);
  assert_int_equal(tasknet_lane(&n, &n.consumer[0], 3), 1);
  assert_int_equal(tasknet_lane_elements(&n, &n.consumer[0], 1, &first), 3);
  assert_int_equal(first, 5);
  assert_int_equal(tasknet_lane_elements(&n, &n.producer[0], 1, &first), 1);
  assert_int_equal(first, 1);
  tasknet_clear(&n);
}

/* Input differs between lanes, so the elements of an array with equal costs become different. */
static void unequal_costs_pass_on(void **state)
{
  (void)state;
  struct tasknet n = {0};
  struct err e = {""};
  const struct tasknet_cost costs[] = {{1, 0, 2, 1}, {3, 0, 4, 1}};
  const struct tasknet_new_array from = {.name = "from", .count = 2, .costs = costs};
  const struct tasknet_new_array to = {
      .name = "to", .count = 2, .cost = {1, TASKNET_ARRIVING, 0, 1}};
  assert_int_equal(tasknet_add_array(&n, &from, &e), OK);
  assert_int_equal(tasknet_add_array(&n, &to, &e), OK);
  assert_int_equal(tasknet_add_stream(&n, "s", 2, 0, &e), OK);
  assert_int_equal(tasknet_add_producer(&n, 0, TASKNET_OUTPUT, &e), OK);
  assert_int_equal(tasknet_add_consumer(&n, 1, &e), OK);
  assert_int_equal(tasknet_seal(&n, &e), OK);
  assert_true(tasknet_element_cost(&n, 1)->compute == 3);
  assert_true(tasknet_element_cost(&n, 2)->in == 2);
  assert_true(tasknet_element_cost(&n, 3)->in == 4);
  tasknet_clear(&n);
}

static void producers_come_first(void **state)
{
  (void)state;
  static const struct build_array arrays[] = {{"c", 1, TASKNET_A, COST(1, 0, 0)},
                                              {"b", 1, TASKNET_A, COST(1, 0, 0)},
                                              {"a", 1, TASKNET_A, COST(1, 0, 0)},
                                              {"d", 1, TASKNET_A, COST(1, 0, 0)},
                                              {.name = NULL}};
  static const struct build_stream streams[] = {
      {"s1", 1, "a", "b", 1}, {"s2", 1, "a b", "c d", 1}, {"s3", 1, "d", "c", 1}, {.name = NULL}};
  struct tasknet n = build(arrays, streams);
  const uint32_t order[] = {2, 1, 3, 0};
  for (uint32_t i = 0; i < n.arrays; i++)
    assert_int_equal(n.order[i], order[i]);
  tasknet_clear(&n);
}

/* Each case has an error and a part of its message. */
static void bad_networks_are_refused(void **state)
{
  (void)state;
#define T(NAME, COUNT)                                                                             \
  {                                                                                                \
    NAME, COUNT, TASKNET_A, COST(1, 0, 1)                                                          \
  }
  static const struct {
    struct build_array array[4];
    struct build_stream stream[4];
    const char *text;
  } cases[] = {
      {{{.name = NULL}}, {{.name = NULL}}, "a network without tasks"},
      {{T("a", 1), T("a", 2)}, {{.name = NULL}}, "there are two tasks 'a'"},
      {{T("a", 0)}, {{.name = NULL}}, "'a': 0 elements"},
      {{T("a", 1), T("b", TASKNET_MOST)},
       {{.name = NULL}},
       "'b': 268435456 elements are not in [1, 268435455]"},
      {{T("", 1)}, {{.name = NULL}}, "a name has 1 to 255 bytes"},
      {{T("a b", 1)}, {{.name = NULL}}, "no spaces"},
      {{{"a", 1, TASKNET_A, COST(-1, 0, 1)}}, {{.name = NULL}}, "computation cost -1"},
      {{{"a", 1, TASKNET_A, COST(1, -2, 1)}}, {{.name = NULL}}, "input cost -2"},
      {{{"a", 1, TASKNET_A, COST(1, 0, 0.0 / 0.0)}}, {{.name = NULL}}, "output cost nan"},
      {{{"a", 1, TASKNET_A, {1, 0, 1, 0.5}}}, {{.name = NULL}}, "number of loops 0.5"},
      {{T("a", 1), T("b", 1)}, {{"s", 1, "a", "", 1}}, "stream 's' has no task on its output side"},
      {{T("a", 1), T("b", 1)}, {{"s", 1, "", "b", 1}}, "stream 's' has no task on its input side"},
      {{T("a", 1), T("b", 1)}, {{"s", 1, "a", "b b", 1}}, "'b' is twice on one side"},
      {{T("a", 1), T("b", 1)}, {{"s", 0, "a", "b", 1}}, "a width of 0"},
      {{T("a", 6), T("b", 4)}, {{"s", 3, "a", "b", 1}}, "3 does not divide the 4 elements of 'b'"},
      {{T("a", 1), T("b", 1)}, {{"s", 1, "a", "b", -3}}, "volume -3"},
      {{T("a", 1), T("b", 1)},
       {{"s", 1, "a", "b", 1}, {"s", 1, "a", "b", 1}},
       "there are two streams 's'"},
      {{T("a", 1), T("b", 1), T("c", 1)},
       {{"r", 1, "a", "b", 1}, {"s", 1, "b", "c", 1}, {"t", 1, "c", "b", 1}},
       "in a cycle: "},
      {{T("a", 1)}, {{"s", 1, "a", "a", 1}}, "in a cycle: a"},
  };
#undef T
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tasknet n;
    struct err e = {""};
    struct build_array array[5] = {{.name = NULL}};
    struct build_stream stream[5] = {{.name = NULL}};
    memcpy(array, cases[i].array, sizeof cases[i].array);
    memcpy(stream, cases[i].stream, sizeof cases[i].stream);
    assert_int_equal(build_try(&n, array, stream, &e), FAIL);
    if (strstr(e.text, cases[i].text) == NULL)
      fail_msg("'%s' lacks '%s'", e.text, cases[i].text);
    tasknet_clear(&n);
  }
}

/* The error names the cycle, but not the tasks before and after it. */
static void a_cycle_is_named(void **state)
{
  (void)state;
  static const struct build_array arrays[] = {
      {"in", 1, TASKNET_A, COST(1, 0, 0)},  {"x", 1, TASKNET_A, COST(1, 0, 0)},
      {"y", 1, TASKNET_A, COST(1, 0, 0)},   {"z", 1, TASKNET_A, COST(1, 0, 0)},
      {"out", 1, TASKNET_A, COST(1, 0, 0)}, {.name = NULL}};
  static const struct build_stream streams[] = {{"s1", 1, "in z", "x", 1},
                                                {"s2", 1, "x", "y", 1},
                                                {"s3", 1, "y", "z out", 1},
                                                {.name = NULL}};
  struct tasknet n;
  struct err e = {""};
  assert_int_equal(build_try(&n, arrays, streams, &e), FAIL);
  const char *list = strrchr(e.text, ':');
  assert_non_null(list);
  assert_true(strcmp(list, ": x, z, y") == 0 || strcmp(list, ": z, y, x") == 0 ||
              strcmp(list, ": y, x, z") == 0);
  tasknet_clear(&n);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements_lanes_and_volumes),
      cmocka_unit_test(lanes_between_one_and_all_join_blocks),
      cmocka_unit_test(unequal_costs_pass_on),
      cmocka_unit_test(producers_come_first),
      cmocka_unit_test(bad_networks_are_refused),
      cmocka_unit_test(a_cycle_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

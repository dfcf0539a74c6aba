/* Local scheduling, computed by hand, in the manner of figure 11 of the paper.  Its numbers are
 * lost except for the makespans of 150 and 175. */
#include "mappers/schedule/hierarchical/local.h"

#include "tests/unit/mappers/schedule/run.h"

static const struct test_group PAIR[] = {{2, 1, 1}, {0, 0, 0}};

#define TASK(NAME, C, I)                                                                           \
  {                                                                                                \
    NAME, 1, TASKNET_A,                                                                            \
    {                                                                                              \
      C, I, 0, 1                                                                                   \
    }                                                                                              \
  }

/* t3 must wait for t1 until 100.  In order of names, t3 would leave the second host idle from 75 to
 * 100, and t4 would end at 175 on the first host. */
static void schedules_like_figure_11(void **state)
{
  (void)state;
  static const struct build_array arrays[] = {
      TASK("t1", 100, 0), TASK("t2", 75, 0), TASK("t3", 50, 0), TASK("t4", 75, 0), {.name = NULL}};
  static const struct build_stream streams[] = {{"s", 1, "t1", "t3", 0}, {.name = NULL}};
  static const uint32_t host[] = {0, 1, 0, 1};
  static const double start[] = {0, 0, 100, 75};
  struct tasknet n = build(arrays, streams);
  struct test_machine t;
  test_machine(&t, PAIR, 1);
  struct schedule s = test_schedule("local", &n, &t);
  for (uint32_t i = 0; i < n.elements; i++) {
    assert_int_equal(s.host[i], host[i]);
    assert_true(s.start[i] == start[i]);
  }
  assert_true(schedule_makespan(&s) == 150);
  schedule_clear(&s);
  farm_clear(&t.m);
  tasknet_clear(&n);
}

/* b can go to the host of a, with E = 10, or to the free host, with E = 0 and the cost I. */
static void input_decides_between_near_and_free(void **state)
{
  (void)state;
  static const struct {
    double in;
    uint32_t host;
  } cases[] = {{9, 1}, {10, 0}, {11, 0}}; /* a tie goes to the producer's host */
  static const struct build_stream streams[] = {{"s", 1, "a", "b", 5}, {.name = NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct build_array arrays[] = {
        TASK("a", 10, 0), TASK("b", 4, cases[i].in), {.name = NULL}};
    struct tasknet n = build(arrays, streams);
    struct test_machine t;
    test_machine(&t, PAIR, 1);
    struct schedule s = test_schedule("local", &n, &t);
    assert_int_equal(s.host[1], cases[i].host);
    schedule_clear(&s);
    farm_clear(&t.m);
    tasknet_clear(&n);
  }
}

/* Among the many hosts of producers, the host that is free first is considered, group by group. */
static void the_best_of_many_producers(void **state)
{
  (void)state;
  static const struct test_group twelve[] = {{12, 1, 1}, {0, 0, 0}};
  static const struct build_array arrays[] = {
      {"a", 12, TASKNET_A, {7, 0, 1, 1}}, TASK("b", 3, 100), TASK("c", 2, 100), {.name = NULL}};
  static const struct build_stream streams[] = {{"s", 1, "a", "b c", 1}, {.name = NULL}};
  struct tasknet n = build(arrays, streams);
  struct test_machine t;
  test_machine(&t, twelve, 1);
  struct schedule s = test_schedule("local", &n, &t);
  assert_int_equal(s.host[12], 0);
  assert_int_equal(s.host[13], 1); /* host 0 is taken by b */
  schedule_clear(&s);
  farm_clear(&t.m);
  tasknet_clear(&n);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(schedules_like_figure_11),
      cmocka_unit_test(input_decides_between_near_and_free),
      cmocka_unit_test(the_best_of_many_producers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

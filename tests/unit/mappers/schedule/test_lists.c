/* The list schedulers on the worked example that HEFT and CPOP were published with (Topcuoglu,
 * Hariri, Wu 2002, figure 1). */
#include "tests/unit/mappers/schedule/run.h"

enum { TASKS = 10, PROCESSORS = 3 };

static const double SECONDS[TASKS * PROCESSORS] = {14, 16, 9,  13, 19, 18, 11, 13, 19, 13,
                                                   8,  17, 12, 13, 10, 13, 16, 9,  7,  15,
                                                   11, 5,  11, 14, 18, 12, 20, 21, 7,  16};

static const struct {
  uint32_t from, to;
  double data;
} EDGE[] = {{1, 2, 18}, {1, 3, 12}, {1, 4, 9},   {1, 5, 11},  {1, 6, 14},
            {2, 8, 19}, {2, 9, 16}, {3, 7, 23},  {4, 8, 27},  {4, 9, 23},
            {5, 9, 13}, {6, 8, 15}, {7, 10, 17}, {8, 10, 11}, {9, 10, 13}};

static void must(enum status s, const struct err *e)
{
  if (s != OK)
    fail_msg("%s", e->text);
}

static void topcuoglu(struct tasknet *n, struct test_machine *t)
{
  static const struct test_group groups[] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}};
  struct err e = {""};
  char name[16];
  *n = (struct tasknet){0};
  for (int i = 1; i <= TASKS; i++) {
    snprintf(name, sizeof name, "n%d", i);
    const struct tasknet_new_array a = {.name = name, .count = 1, .cost = {1, 0, 0, 1}};
    must(tasknet_add_array(n, &a, &e), &e);
  }
  for (size_t i = 0; i < sizeof EDGE / sizeof *EDGE; i++) {
    snprintf(name, sizeof name, "e%zu", i);
    must(tasknet_add_stream(n, name, 1, 0, &e), &e);
    must(tasknet_add_producer(n, EDGE[i].from - 1, EDGE[i].data, &e), &e);
    must(tasknet_add_consumer(n, EDGE[i].to - 1, &e), &e);
  }
  must(tasknet_seal(n, &e), &e);
  test_machine(t, groups, 1);
  t->m.table = SECONDS;
}

static void published_makespans(void **state)
{
  (void)state;
  static const struct {
    const char *scheduler;
    double makespan;
  } published[] = {{"heft", 80}, {"cpop", 86}};
  struct tasknet n;
  struct test_machine t;
  topcuoglu(&n, &t);
  for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
    struct schedule s = test_schedule(published[i].scheduler, &n, &t);
    assert_true(schedule_makespan(&s) == published[i].makespan);
    schedule_clear(&s);
  }
  farm_clear(&t.m);
  tasknet_clear(&n);
}

/* The slow host is idle, the fast host is busy until 2. */
static void mcp_starts_first_and_heft_ends_first(void **state)
{
  (void)state;
  static const struct test_group groups[] = {{1, 10, 1}, {1, 1, 1}, {0, 0, 0}};
  static const struct build_array arrays[] = {
      {"a", 1, TASKNET_A, {20, 0, 0, 1}}, {"b", 1, TASKNET_A, {10, 0, 0, 1}}, {.name = NULL}};
  struct tasknet n = build(arrays, NULL);
  struct test_machine t;
  test_machine(&t, groups, 1);
  struct schedule mcp = test_schedule("mcp", &n, &t), heft = test_schedule("heft", &n, &t);
  assert_true(mcp.host[0] == 0 && mcp.host[1] == 1 && schedule_makespan(&mcp) == 10);
  assert_true(heft.host[0] == 0 && heft.host[1] == 0 && schedule_makespan(&heft) == 3);
  schedule_clear(&mcp);
  schedule_clear(&heft);
  farm_clear(&t.m);
  tasknet_clear(&n);
}

/* The fast host takes the short task first, or the long one. */
static void minmin_and_maxmin_differ_in_their_first_task(void **state)
{
  (void)state;
  static const struct test_group groups[] = {{1, 2, 1}, {1, 1, 1}, {0, 0, 0}};
  static const struct build_array arrays[] = {
      {"short", 1, TASKNET_A, {4, 0, 0, 1}}, {"long", 1, TASKNET_A, {10, 0, 0, 1}}, {.name = NULL}};
  struct tasknet n = build(arrays, NULL);
  struct test_machine t;
  test_machine(&t, groups, 1);
  struct schedule min = test_schedule("minmin", &n, &t), max = test_schedule("maxmin", &n, &t);
  assert_true(min.start[0] == 0 && min.end[1] == 7);
  assert_true(max.start[1] == 0 && max.host[1] == 0 && max.end[0] == 4 && max.host[0] == 1);
  schedule_clear(&min);
  schedule_clear(&max);
  farm_clear(&t.m);
  tasknet_clear(&n);
}

/* A task without work that enters before the slot of another task runs before it. */
static void tasks_without_work_keep_their_place(void **state)
{
  (void)state;
  static const struct test_group groups[] = {{2, 1, 1}, {0, 0, 0}};
  static const char *const SCHEDULERS[] = {"heft", "cpop", "peft", "mcp"};
  static const struct build_array arrays[] = {{"a", 1, TASKNET_A, {5, 0, 0, 1}},
                                              {"z", 1, TASKNET_A, {0, 0, 0, 1}},
                                              {"q", 1, TASKNET_A, {4, 0, 0, 1}},
                                              {.name = NULL}};
  static const struct build_stream streams[] = {{"s", 1, "z", "q", 0}, {.name = NULL}};
  struct tasknet n = build(arrays, streams);
  struct test_machine t;
  test_machine(&t, groups, 1);
  for (size_t i = 0; i < sizeof SCHEDULERS / sizeof *SCHEDULERS; i++)
    assert_true(test_makespan(SCHEDULERS[i], &n, &t) == 5);
  farm_clear(&t.m);
  tasknet_clear(&n);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(published_makespans),
      cmocka_unit_test(mcp_starts_first_and_heft_ends_first),
      cmocka_unit_test(tasks_without_work_keep_their_place),
      cmocka_unit_test(minmin_and_maxmin_differ_in_their_first_task),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

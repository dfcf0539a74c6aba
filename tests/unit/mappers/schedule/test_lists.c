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
    must(tasknet_add_array(n, &a, NULL, &e), &e);
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
  const char *const others[] = {"local", "hierarchical", "peft", "mcp", "minmin", "maxmin"};
  for (int i = 0; i < 6; i++) {
    struct schedule s = test_schedule(others[i], &n, &t);
    printf("%s %g\n", others[i], schedule_makespan(&s));
    schedule_clear(&s);
  }
  machine_clear(&t.m);
  tasknet_clear(&n);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(published_makespans),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

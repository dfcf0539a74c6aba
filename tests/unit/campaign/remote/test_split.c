#include "campaign/remote/split.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void by_count_the_last_task_has_the_remaining_items(void **state)
{
  (void)state;
  uint32_t task[7];
  const uint32_t expected[7] = {1, 1, 1, 2, 2, 2, 3};
  split_by_count(7, 3, task);
  assert_memory_equal(task, expected, sizeof task);
}

static void by_time_a_task_ends_before_its_target(void **state)
{
  (void)state;
  static const struct {
    double seconds[6];
    uint32_t task[6];
  } CASES[] = {
      {{20, 20, 20, 20, 20, 20}, {1, 1, 1, 2, 2, 2}},
      {{50, 20, 1, 70, 1, 100}, {1, 2, 2, 3, 4, 5}}, /* an item above 60 s gets its own task */
      {{0, 0, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1}},
      {{100, 100, 100, 100, 100, 100}, {1, 2, 3, 4, 5, 6}},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    uint32_t task[6];
    split_by_time(6, CASES[i].seconds, 60, task);
    assert_memory_equal(task, CASES[i].task, sizeof task);
  }
  split_by_time(0, NULL, 60, NULL);
}

/* Slurm limits the number of tasks, so each task gets more items, in about equal numbers. */
static void the_number_of_tasks_is_limited(void **state)
{
  (void)state;
  enum { ITEMS = 57600 };
  double *seconds = malloc(ITEMS * sizeof *seconds);
  uint32_t *task = malloc(ITEMS * sizeof *task), longest = 0, length = 0;
  assert_true(seconds != NULL && task != NULL);
  for (size_t i = 0; i < ITEMS; i++)
    seconds[i] = 10;
  split_by_time(ITEMS, seconds, 60, task);
  assert_true(task[ITEMS - 1] <= SPLIT_MOST_TASKS && task[ITEMS - 1] > SPLIT_MOST_TASKS / 2);
  for (size_t i = 1; i < ITEMS; i++) {
    assert_true(task[i] == task[i - 1] || task[i] == task[i - 1] + 1);
    length = task[i] == task[i - 1] ? length + 1 : 1;
    longest = length > longest ? length : longest;
  }
  assert_true(longest <= 2 * ITEMS / SPLIT_MOST_TASKS);
  free(seconds);
  free(task);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(by_count_the_last_task_has_the_remaining_items),
      cmocka_unit_test(by_time_a_task_ends_before_its_target),
      cmocka_unit_test(the_number_of_tasks_is_limited),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "common/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The sanitizer builds check that all memory is freed. */
static uint32_t sum_of(uint32_t n, struct err *e)
{
  ARENA(mem, e);
  uint32_t *v = arena_array(&mem, n, sizeof *v), sum = 0;
  if (n == 3)
    return 3;
  for (uint32_t i = 0; i < 100; i++) {
    uint32_t *more = arena_array(&mem, 10, sizeof *more);
    assert_non_null(more);
    sum += more[9];
  }
  for (uint32_t i = 0; i < n; i++)
    sum += v[i];
  assert_int_equal(arena_status(&mem), OK);
  return sum;
}

static void arrays_are_zeroed_and_freed_on_all_paths(void **state)
{
  (void)state;
  struct err e;
  assert_int_equal(sum_of(0, &e), 0);
  assert_int_equal(sum_of(1000, &e), 0);
  assert_int_equal(sum_of(3, &e), 3);
}

static void the_first_failure_is_kept(void **state)
{
  (void)state;
  struct err e;
  ARENA(mem, &e);
  volatile size_t many = SIZE_MAX / 4;
  assert_non_null(arena_array(&mem, 1, 1));
  assert_null(arena_array(&mem, many, 8));
  const struct err first = e;
  assert_non_null(strstr(first.text, "do not fit into three quarters of the memory"));
  assert_null(arena_array(&mem, 1, 1));
  assert_int_equal(arena_status(&mem), FAIL);
  assert_string_equal(e.text, first.text);
  arena_clear(&mem);
  assert_non_null(arena_array(&mem, 1, 1));
  assert_int_equal(arena_status(&mem), OK);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrays_are_zeroed_and_freed_on_all_paths),
      cmocka_unit_test(the_first_failure_is_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

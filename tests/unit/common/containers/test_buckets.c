#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/containers/buckets.h"

static void numbers_are_sorted_by_bucket_then_by_number(void **state)
{
  (void)state;
  static const uint32_t of[] = {3, 0, 3, 1, 0}, first[] = {0, 2, 3, 3, 5}, item[] = {1, 4, 3, 0, 2};
  uint32_t begin[4 + 2] = {0}, sorted[5];
  buckets_sort(of, 5, 4, begin, sorted);
  assert_memory_equal(begin, first, sizeof first);
  assert_memory_equal(sorted, item, sizeof item);
}

static void no_numbers_leave_all_buckets_empty(void **state)
{
  (void)state;
  uint32_t begin[2 + 2] = {0}, unused;
  buckets_sort(NULL, 0, 2, begin, &unused);
  for (uint32_t b = 0; b <= 2; b++)
    assert_int_equal(begin[b], 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_sorted_by_bucket_then_by_number),
      cmocka_unit_test(no_numbers_leave_all_buckets_empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

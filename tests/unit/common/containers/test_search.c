#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/containers/search.h"

/* Element i is (i - 10) / 3 for i = 10, 11, ...: each value three times. */
static bool is_below(const void *key, size_t i)
{
  return (i - 10) / 3 < *(const size_t *)key;
}

static void the_first_of_equals_is_found(void **state)
{
  (void)state;
  for (size_t count = 0; count < 40; count++)
    for (size_t value = 0; value < 15; value++) {
      const size_t end = 10 + count, first = 10 + 3 * value;
      assert_int_equal(search(10, end, is_below, &value), first < end ? first : end);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_of_equals_is_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

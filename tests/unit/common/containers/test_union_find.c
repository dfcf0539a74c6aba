#include "common/containers/union_find.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void roots_are_the_lowest(void **state)
{
  (void)state;
  static const uint32_t want[] = {0, 1, 0, 1, 0, 5};
  uint32_t parent[6];
  union_find_reset(parent, 6);
  union_find_unite(parent, 4, 2);
  union_find_unite(parent, 3, 1);
  union_find_unite(parent, 2, 0);
  union_find_unite(parent, 0, 4);
  for (uint32_t v = 0; v < 6; v++)
    assert_int_equal(union_find_root(parent, v), want[v]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(roots_are_the_lowest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

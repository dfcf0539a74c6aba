#include "common/containers/pairs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void numbers_follow_the_order_of_insertion(void **state)
{
  (void)state;
  static const struct {
    uint32_t a, b, number;
  } CASES[] = {{0, 0, 0},          {0, 1, 1}, {1, 0, 2}, {0, 1, 1}, {UINT32_MAX, UINT32_MAX, 3},
               {0, UINT32_MAX, 4}, {0, 0, 0}, {7, 7, 5}};
  struct pairs p = {0};
  struct err e;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    uint32_t number = PAIRS_NONE;
    assert_int_equal(pairs_add(&p, CASES[i].a, CASES[i].b, &number, &e), OK);
    assert_int_equal(number, CASES[i].number);
    assert_int_equal(pairs_find(&p, CASES[i].a, CASES[i].b), number);
  }
  assert_int_equal(p.count, 6);
  pairs_clear(&p);
  pairs_clear(&p);
}

static void unknown_pairs_have_no_number(void **state)
{
  (void)state;
  struct pairs p = {0};
  struct err e;
  uint32_t number;
  assert_int_equal(pairs_find(&p, 0, 0), PAIRS_NONE);
  assert_int_equal(pairs_add(&p, 3, 5, &number, &e), OK);
  assert_int_equal(pairs_find(&p, 5, 3), PAIRS_NONE);
  assert_int_equal(pairs_find(&p, 0, 0), PAIRS_NONE);
  pairs_clear(&p);
}

static void numbers_stay_while_the_table_grows(void **state)
{
  (void)state;
  struct pairs p = {0};
  struct err e;
  uint32_t number;
  for (uint32_t i = 0; i < 10000; i++) {
    assert_int_equal(pairs_add(&p, i % 100, i / 100, &number, &e), OK);
    assert_int_equal(number, i);
  }
  for (uint32_t i = 0; i < 10000; i++)
    assert_int_equal(pairs_find(&p, i % 100, i / 100), i);
  assert_int_equal(p.count, 10000);
  pairs_clear(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_follow_the_order_of_insertion),
      cmocka_unit_test(unknown_pairs_have_no_number),
      cmocka_unit_test(numbers_stay_while_the_table_grows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

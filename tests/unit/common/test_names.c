#include "common/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *fruit(size_t i)
{
  static const char *const FRUIT[] = {"apple", "pear", "peach", "banana", NULL};
  return FRUIT[i];
}

static void whole_names_are_found(void **state)
{
  (void)state;
  size_t row = 9;
  assert_true(names_find(fruit, "peach:ripe", 5, &row));
  assert_int_equal(row, 2);
  assert_false(names_find(fruit, "pea", 3, &row));
  assert_false(names_find(fruit, "peaches", 7, &row));
  assert_false(names_find(fruit, "", 0, &row));
  assert_int_equal(row, 2);
}

static void the_nearest_is_offered(void **state)
{
  (void)state;
  static const char *const ROWS[][2] = {
      {"aple", "apple"}, {"appple", "apple"}, {"applw", "apple"},  {"appel", "apple"},
      {"pera", "pear"},  {"peachh", "peach"}, {"bannaa", "banana"}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
    assert_string_equal(names_nearest(fruit, ROWS[i][0], strlen(ROWS[i][0])), ROWS[i][1]);
  static const char *const NONE[] = {"", "p", "kiwi", "bnn",
                                     "a-name-that-is-much-longer-than-any-that-there-is"};
  for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++)
    assert_null(names_nearest(fruit, NONE[i], strlen(NONE[i])));
}

static void the_sentence_names_all(void **state)
{
  (void)state;
  struct err e;
  size_t row = 9;
  assert_int_equal(names_get(fruit, "fruit", "pear", &row, &e), OK);
  assert_int_equal(row, 1);
  assert_int_equal(names_get(fruit, "fruit", "paer", &row, &e), FAIL);
  assert_string_equal(
      e.text, "unknown fruit 'paer', perhaps 'pear'; there are: apple, pear, peach, banana");
  assert_int_equal(names_get(fruit, "fruit", "kiwi", &row, &e), FAIL);
  assert_string_equal(e.text, "unknown fruit 'kiwi'; there are: apple, pear, peach, banana");
  assert_int_equal(names_unknown(fruit, "fruit", "kiwi:ripe", 4, &e), FAIL);
  assert_string_equal(e.text, "unknown fruit 'kiwi'; there are: apple, pear, peach, banana");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_names_are_found),
      cmocka_unit_test(the_nearest_is_offered),
      cmocka_unit_test(the_sentence_names_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

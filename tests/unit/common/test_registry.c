#include "common/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct fruit {
  const char *name;
  int grams;
};

static const struct fruit APPLE = {"apple", 150}, PEAR = {"pear", 180}, PEACH = {"peach", 170},
                          BANANA = {"banana", 120};

#define LIST(ROW) ROW(APPLE) ROW(PEAR) ROW(PEACH) ROW(BANANA)

static const struct registry fruit = REGISTRY("fruit", LIST);

static void rows_keep_their_order(void **state)
{
  (void)state;
  char names[64];
  assert_ptr_equal(registry_at(&fruit, 0), &APPLE);
  assert_ptr_equal(registry_at(&fruit, 3), &BANANA);
  assert_null(registry_at(&fruit, 4));
  assert_null(registry_at(&fruit, 1000));
  assert_string_equal(registry_name(&fruit, 1), "pear");
  assert_null(registry_name(&fruit, 4));
  registry_list(&fruit, names, sizeof names);
  assert_string_equal(names, "apple, pear, peach or banana");
  registry_list(&fruit, names, 9);
  assert_string_equal(names, "apple, p");
}

static void whole_names_are_found(void **state)
{
  (void)state;
  assert_ptr_equal(registry_find(&fruit, "peach:ripe", 5), &PEACH);
  assert_null(registry_find(&fruit, "pea", 3));
  assert_null(registry_find(&fruit, "peaches", 7));
  assert_null(registry_find(&fruit, "", 0));
}

static void the_nearest_name_is_suggested(void **state)
{
  (void)state;
  static const char *const ROWS[][2] = {
      {"aple", "apple"}, {"appple", "apple"}, {"applw", "apple"},  {"appel", "apple"},
      {"pera", "pear"},  {"peachh", "peach"}, {"bannaa", "banana"}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
    assert_string_equal(registry_nearest(&fruit, ROWS[i][0], strlen(ROWS[i][0])), ROWS[i][1]);
  static const char *const NONE[] = {"", "p", "kiwi", "bnn",
                                     "a-name-that-is-much-longer-than-any-that-there-is"};
  for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++)
    assert_null(registry_nearest(&fruit, NONE[i], strlen(NONE[i])));
}

static void errors_list_all_names(void **state)
{
  (void)state;
  struct err e;
  assert_ptr_equal(registry_get(&fruit, "pear", &e), &PEAR);
  assert_null(registry_get(&fruit, "paer", &e));
  assert_string_equal(
      e.text, "unknown fruit 'paer', perhaps 'pear'; expected apple, pear, peach or banana");
  assert_null(registry_get(&fruit, "kiwi", &e));
  assert_string_equal(e.text, "unknown fruit 'kiwi'; expected apple, pear, peach or banana");
  assert_int_equal(registry_unknown(&fruit, "kiwi:ripe", 4, &e), FAIL);
  assert_string_equal(e.text, "unknown fruit 'kiwi'; expected apple, pear, peach or banana");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_keep_their_order),
      cmocka_unit_test(whole_names_are_found),
      cmocka_unit_test(the_nearest_name_is_suggested),
      cmocka_unit_test(errors_list_all_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

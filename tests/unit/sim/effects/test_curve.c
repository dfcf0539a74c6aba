#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "sim/effects/curve.h"

static void values_lie_between_the_points(void **state)
{
  (void)state;
  struct curve c;
  struct err e;
  assert_int_equal(curve_parse(&c, "1:5GBps,2:8GBps,4:9GBps", CURVE_BANDWIDTH, &e), OK);
  assert_int_equal(c.count, 3);
  static const double table[][2] = {{0, 5e9},   {1, 5e9}, {1.5, 6.5e9}, {2, 8e9},
                                    {3, 8.5e9}, {4, 9e9}, {100, 9e9}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    assert_float_equal(curve_at(&c, table[i][0]), table[i][1], 1);
  assert_int_equal(curve_parse(&c, "7:0.25", CURVE_SHARE, &e), OK);
  assert_float_equal(curve_at(&c, 0), 0.25, 0);
  assert_float_equal(curve_at(&c, 9), 0.25, 0);
}

static void bad_curves_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *text, *message;
    enum curve_unit unit;
  } table[] = {
      {"", "'' is not NUMBER:VALUE", CURVE_SHARE},
      {"1", "'1' is not NUMBER:VALUE", CURVE_SHARE},
      {"1:0.5,", "'' is not NUMBER:VALUE", CURVE_SHARE},
      {"1:0", "point 1: ", CURVE_SHARE},
      {"1:1.5", "point 1: ", CURVE_SHARE},
      {"-1:1", "point -1: ", CURVE_SHARE},
      {"16777217:1", "point 16777217: ", CURVE_SHARE},
      {"1:5", "point 1: '5' has no unit", CURVE_BANDWIDTH},
      {"2:0.5,2:0.4", "point 2 does not follow 2", CURVE_SHARE},
      {"4:0.5,2:0.4", "point 2 does not follow 4", CURVE_SHARE},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    struct curve c = {.count = 77};
    struct err e;
    assert_int_equal(curve_parse(&c, table[i].text, table[i].unit, &e), FAIL);
    if (strncmp(e.text, table[i].message, strlen(table[i].message)) != 0)
      print_error("%s: %s\n", table[i].text, e.text);
    assert_memory_equal(e.text, table[i].message, strlen(table[i].message));
    assert_int_equal(c.count, 77);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_lie_between_the_points),
      cmocka_unit_test(bad_curves_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

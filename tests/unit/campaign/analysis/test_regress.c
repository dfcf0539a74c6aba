#include "campaign/analysis/regress.h"
#include "tests/unit/count.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

static void changes_are_relative_to_the_old_value(void **state)
{
  (void)state;
  static const struct {
    double before, now, change, tolerance;
    bool worse, better; /* if smaller values are better */
  } CASES[] = {
      {100, 100, 0, 0, false, false},       {100, 101, 0.01, 0.005, true, false},
      {100, 101, 0.01, 0.02, false, false}, {100, 99, -0.01, 0.005, false, true},
      {100, 0, -1, 0.99, false, true},      {0, 0, 0, 0, false, false},
      {0, 1, INFINITY, 100, true, false},   {NAN, 1, NAN, 0, false, false},
      {1, NAN, NAN, 0, false, false},
  };
  for (size_t i = 0; i < COUNT(CASES); i++)
    for (int f = 0; f < REGRESS_FIGURES; f++) {
      struct regress_row row;
      row.before[f] = CASES[i].before;
      row.now[f] = CASES[i].now;
      const double change = regress_change(&row, f), want = CASES[i].change;
      if (isnan(want) ? !isnan(change) : change != want && !(fabs(change - want) < 1e-12))
        fail_msg("case %zu: a change of %g, not %g", i, change, want);
      const bool reversed = f == REGRESS_CARDINALITY;
      assert_int_equal(regress_is_worse(&row, f, CASES[i].tolerance),
                       reversed ? CASES[i].better : CASES[i].worse);
      assert_int_equal(regress_is_better(&row, f, CASES[i].tolerance),
                       reversed ? CASES[i].worse : CASES[i].better);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(changes_are_relative_to_the_old_value)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "campaign/plan/audit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct audit draw(size_t runs, uint64_t wanted, uint64_t seed)
{
  struct machine machine = {.settings = settings_defaults()};
  const struct plan p = {.runs = runs, .machine = &machine, .machines = 1};
  const struct settings model = settings_defaults();
  struct audit a;
  struct err e;
  assert_int_equal(audit_draw(&a, &p, &model, wanted, seed, &e), OK);
  return a;
}

static void runs_are_drawn_by_seed_and_found_again(void **state)
{
  (void)state;
  struct audit a = draw(100, 10, 1), same = draw(100, 10, 1), other = draw(100, 10, 2);
  assert_int_equal(a.count, 10);
  for (size_t i = 0; i < a.count; i++) {
    assert_true(a.run[i] < 100 && (i == 0 || a.run[i] > a.run[i - 1]));
    assert_int_equal(audit_find(&a, a.run[i]), i);
    assert_int_equal(a.run[i], same.run[i]);
  }
  assert_memory_not_equal(a.run, other.run, 10 * sizeof *a.run);
  size_t found = 0;
  for (size_t i = 0; i < 100; i++)
    found += audit_find(&a, i) < a.count;
  assert_int_equal(found, 10);
  audit_clear(&a);
  audit_clear(&same);
  audit_clear(&other);
}

static void an_audit_of_all_or_no_runs(void **state)
{
  (void)state;
  struct audit all = draw(3, UINT64_MAX, 1), none = draw(3, 0, 1);
  assert_int_equal(all.count, 3);
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(all.run[i], i);
  assert_int_equal(none.count, 0);
  assert_int_equal(audit_find(&none, 0), 0);
  audit_clear(&all);
  audit_clear(&none);
}

static void the_reference_is_simgrid(void **state)
{
  (void)state;
  struct audit a = draw(1, 1, 1);
  assert_non_null(strstr(a.options, "engine=simgrid simgrid="));
  assert_non_null(strstr(a.options, " precision=1e-12"));
  assert_string_equal(a.settings[0].options.engine->name, "simgrid");
  audit_clear(&a);
}

static void differences_are_relative(void **state)
{
  (void)state;
  const struct run_result a = {.sim.simulated_time_s = 1.5}, b = {.sim.simulated_time_s = 2};
  const struct run_result zero = {.status = RUN_OK};
  assert_true(audit_difference(&a, &b) == 0.25);
  assert_true(audit_difference(&b, &b) == 0);
  assert_true(audit_difference(&zero, &zero) == 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_are_drawn_by_seed_and_found_again),
      cmocka_unit_test(an_audit_of_all_or_no_runs),
      cmocka_unit_test(the_reference_is_simgrid),
      cmocka_unit_test(differences_are_relative),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

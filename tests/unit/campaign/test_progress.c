#include "campaign/progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void the_remaining_time_follows_from_the_mean_of_the_group(void **state)
{
  (void)state;
  struct progress *p;
  struct err e;
  assert_int_equal(progress_new(&p, stderr, 2, &e), OK);
  for (int i = 0; i < 3; i++) {
    progress_add(p, 0);
    progress_add(p, 1);
  }
  assert_true(progress_left_s(p, 1) < 0);
  progress_done(p, 0, 10); /* group 1 has no times yet: the mean of all groups is used */
  assert_true(progress_left_s(p, 1) == 2 * 10 + 3 * 10);
  progress_done(p, 1, 1);
  assert_true(progress_left_s(p, 1) == 2 * 10 + 2 * 1);
  assert_true(progress_left_s(p, 2) == 11);
  progress_free(p);
}

static void nothing_is_drawn_on_a_file(void **state)
{
  (void)state;
  struct progress *p;
  struct err e;
  FILE *f = tmpfile();
  assert_non_null(f);
  assert_int_equal(progress_new(&p, f, 1, &e), OK);
  progress_draw(p, &(struct progress_counts){.runs = 1, .jobs = 1});
  progress_free(p);
  assert_int_equal(ftell(f), 0);
  fclose(f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_remaining_time_follows_from_the_mean_of_the_group),
      cmocka_unit_test(nothing_is_drawn_on_a_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

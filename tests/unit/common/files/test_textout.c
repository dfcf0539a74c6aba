#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "common/files/textout.h"

static void printed_text_becomes_a_string(void **state)
{
  (void)state;
  struct textout t;
  struct err e;
  assert_int_equal(textout_begin(&t, &e), OK);
  fprintf(t.f, "%d ranks", 4);
  char *text = textout_end(&t, OK, &e);
  assert_string_equal(text, "4 ranks");
  free(text);
}

static void long_texts_are_whole(void **state)
{
  (void)state;
  struct textout t;
  struct err e;
  assert_int_equal(textout_begin(&t, &e), OK);
  for (int i = 0; i < 100000; i++)
    fprintf(t.f, "%06d\n", i);
  char *text = textout_end(&t, OK, &e);
  assert_int_equal(t.size, 700000);
  assert_string_equal(text + 699993, "099999\n");
  free(text);
}

static void a_failed_print_has_no_text(void **state)
{
  (void)state;
  struct textout t;
  struct err e;
  assert_int_equal(textout_begin(&t, &e), OK);
  fputs("half", t.f);
  assert_null(textout_end(&t, err_set(&e, "the reason"), &e));
  assert_string_equal(e.text, "the reason");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(printed_text_becomes_a_string),
      cmocka_unit_test(long_texts_are_whole),
      cmocka_unit_test(a_failed_print_has_no_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

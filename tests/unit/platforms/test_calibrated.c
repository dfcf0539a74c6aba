#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "platforms/calibrated.h"

static char *printed(const struct calibrated *r)
{
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  assert_non_null(f);
  calibrated_print(r, f);
  assert_int_equal(fclose(f), 0);
  return text;
}

static void texts_are_read_and_written(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    struct calibrated range;
  } table[] = {
      {"1-1048576", {1, 1048576, false, false}},
      {"0-4000000,within", {0, 4000000, true, false}},
      {"64-64,several", {64, 64, false, true}},
      {"1-9223372036854775807,within,several", {1, INT64_MAX, true, true}},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    struct calibrated r = {0};
    struct err e;
    assert_int_equal(calibrated_parse(&r, table[i].text, &e), OK);
    assert_true(r.smallest == table[i].range.smallest && r.largest == table[i].range.largest);
    assert_true(r.within == table[i].range.within && r.several == table[i].range.several);
    char *text = printed(&r);
    assert_string_equal(text, table[i].text);
    free(text);
  }
}

static void other_texts_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *text, *why;
  } table[] = {
      {"", "'' is not SMALLEST-LARGEST"},
      {"5", "'5' is not SMALLEST-LARGEST"},
      {"-5", "''"},
      {"1-", "''"},
      {"2-1", "no sizes from 2 to 1 bytes"},
      {"0-0", "no sizes from 0 to 0 bytes"},
      {"1-2,", "'' is neither within nor several"},
      {"1-2,inside", "'inside' is neither within nor several"},
      {"1-2,within,within", "'within' is given twice"},
      {"1-9223372036854775808", "9223372036854775808"},
      {"1-2,within,several,within,several,within,several,within,several,within,several,within,a",
       "is too long"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    struct calibrated r = {7, 8, true, true};
    struct err e = {.text = ""};
    assert_int_equal(calibrated_parse(&r, table[i].text, &e), FAIL);
    if (strstr(e.text, table[i].why) == NULL)
      fail_msg("'%s': '%s' lacks '%s'", table[i].text, e.text, table[i].why);
    assert_true(r.smallest == 7 && r.largest == 8 && r.within && r.several);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_are_read_and_written),
      cmocka_unit_test(other_texts_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

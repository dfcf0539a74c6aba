/* Displayable text, and numbered names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "common/containers/names.h"
#include "common/utf8.h"
#include "tests/unit/count.h"

static void bytes_that_cannot_be_shown_become_question_marks(void **state)
{
  (void)state;
  static const struct {
    const char *text, *shown;
  } ROWS[] = {
      {"", ""},
      {"plain <&>\"'", "plain <&>\"'"},
      {"a\tb\nc\x7f", "a?b?c?"},
      {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
      {"caf\xe9", "caf?"},
      {"\xc3", "?"},
      {"\xe2\x82", "??"},
      {"\xc0\xaf", "??"},         /* overlong encoding of '/' */
      {"\xed\xa0\x80", "???"},    /* a surrogate */
      {"\xc2\x85x", "?x"},        /* a C1 control character */
      {"\xc2\xa0x", "\xc2\xa0x"}, /* a no-break space */
      {"\xef\xbf\xbd", "\xef\xbf\xbd"},
      {"\xef\xbf\xbe\xef\xbf\xbf", "??"}, /* U+FFFE and U+FFFF */
      {"\xf4\x90\x80\x80", "????"},       /* beyond U+10FFFF */
  };
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    struct err e;
    char *shown = utf8_clean(ROWS[i].text, &e);
    assert_string_equal(shown, ROWS[i].shown);
    free(shown);
  }
}

static void names_have_the_order_of_their_first_use(void **state)
{
  (void)state;
  struct names n = {.name = NULL};
  struct err e;
  uint32_t number;
  char text[16];
  assert_int_equal(names_find(&n, "x"), NAMES_NONE);
  for (int round = 0; round < 2; round++)
    for (uint32_t i = 0; i < 5000; i++) {
      snprintf(text, sizeof text, "%u", i);
      assert_int_equal(names_add(&n, text, &number, &e), OK);
      assert_int_equal(number, i);
    }
  assert_int_equal(n.count, 5000);
  assert_string_equal(n.name[4321], "4321");
  assert_int_equal(names_find(&n, "4999"), 4999);
  assert_int_equal(names_find(&n, "5000"), NAMES_NONE);
  assert_int_equal(names_find(&n, ""), NAMES_NONE);
  names_clear(&n);
  assert_int_equal(n.count, 0);
  assert_int_equal(names_find(&n, "1"), NAMES_NONE);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bytes_that_cannot_be_shown_become_question_marks),
      cmocka_unit_test(names_have_the_order_of_their_first_use),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "common/err.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void messages_name_file_and_line(void **state)
{
  (void)state;
  struct err e;
  assert_int_equal(err_set(&e, "%s has %d", "x", 7), FAIL);
  assert_string_equal(e.text, "x has 7");
  assert_int_equal(err_at(&e, "a.txt", UINT64_MAX, "'%s' is bad", "y"), FAIL);
  assert_string_equal(e.text, "a.txt:18446744073709551615: 'y' is bad");
  errno = ENOENT;
  assert_int_equal(err_errno(&e, "b.txt", "cannot read"), FAIL);
  assert_string_equal(e.text, "b.txt: cannot read: No such file or directory");
}

static void hostile_text_stays_one_line(void **state)
{
  (void)state;
  struct err e;
  err_set(&e, "'%s'", "a\nb\tc\033[1m\177");
  assert_string_equal(e.text, "'a?b\\tc?[1m?'");
  err_set(&e, "%s", "7z\274\257 \302\233 \303\251 \342\202\254");
  assert_string_equal(e.text, "7z?? ? \303\251 \342\202\254");
  err_at(&e, "x\ny", 1, "'%s'", "\r");
  assert_string_equal(e.text, "x?y:1: '?'");
}

static void long_text_is_cut(void **state)
{
  (void)state;
  struct err e;
  char name[3000];
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  err_set(&e, "%s", name);
  assert_int_equal(strlen(e.text), sizeof e.text - 1);
  err_at(&e, name, 1, "%s", name);
  assert_int_equal(strlen(e.text), sizeof e.text - 1);
}

static void lists_have_commas_and_are_cut(void **state)
{
  (void)state;
  char list[8] = "";
  err_list(list, sizeof list, "ab");
  assert_string_equal(list, "ab");
  err_list(list, sizeof list, "cd");
  assert_string_equal(list, "ab, cd");
  err_list(list, sizeof list, "ef");
  assert_string_equal(list, "ab, cd,");
  err_list(list, sizeof list, "gh");
  assert_string_equal(list, "ab, cd,");
}

/* A long name does not push the reason out of the message. */
static void long_and_empty_names_leave_room(void **state)
{
  (void)state;
  struct err e;
  char name[3000];
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  memcpy(name, "begin", 5);
  memcpy(name + sizeof name - 4, "end", 3);
  errno = ENAMETOOLONG;
  err_errno(&e, name, "cannot open");
  assert_memory_equal(e.text, "begin", 5);
  assert_non_null(strstr(e.text, "n...n"));
  assert_non_null(strstr(e.text, "end: cannot open: File name too long"));
  err_at(&e, name, 7, "bad");
  assert_non_null(strstr(e.text, "end:7: bad"));
  err_at(&e, "", 7, "bad");
  assert_string_equal(e.text, "'':7: bad");
  errno = 0;
  err_errno(&e, "f", "cannot write");
  assert_string_equal(e.text, "f: cannot write");
}

static void failures_of_the_environment_are_recognised(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    bool of_environment;
  } CASES[] = {{"x: cannot write: No space left on device", true},
               {"x: cannot read: Input/output error", true},
               {"mapper 'command': ./m: cannot run: Permission denied", true},
               {"out of memory for 3 elements of 8 bytes", true},
               {"No space left on device", false},
               {"x: 'No space left on device' is no number", false},
               {"x: cannot open: No such file or directory", true},
               {"x: no result: Unknown error 150", false},
               {"", false}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    struct err e;
    err_set(&e, "%s", CASES[i].text);
    assert_int_equal(err_of_environment(&e), CASES[i].of_environment);
  }
}

static void callers_add_the_place(void **state)
{
  (void)state;
  struct err e;
  err_set(&e, "no number");
  assert_int_equal(err_prefix(&e, "%s: ", "speed"), FAIL);
  assert_string_equal(e.text, "speed: no number");
  assert_int_equal(err_place(&e, "p.xml", 7), FAIL);
  assert_string_equal(e.text, "p.xml:7: speed: no number");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(messages_name_file_and_line),
      cmocka_unit_test(hostile_text_stays_one_line),
      cmocka_unit_test(long_text_is_cut),
      cmocka_unit_test(callers_add_the_place),
      cmocka_unit_test(failures_of_the_environment_are_recognised),
      cmocka_unit_test(lists_have_commas_and_are_cut),
      cmocka_unit_test(long_and_empty_names_leave_room),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

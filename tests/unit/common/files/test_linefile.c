#include "common/files/linefile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/scratch.h"

static void lines_come_one_by_one(void **state)
{
  (void)state;
  const struct scratch_file f = scratch_file("one\n\nlast", 9);
  struct linefile l;
  struct err e;
  bool more;
  assert_int_equal(linefile_open(&l, f.path, &e), OK);
  static const char *const LINES[] = {"one", "", "last"};
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(linefile_next(&l, &more, &e), OK);
    assert_true(more);
    assert_string_equal(l.text, LINES[i]);
    assert_int_equal(l.length, strlen(LINES[i]));
    assert_int_equal(l.line, i + 1);
  }
  assert_int_equal(linefile_next(&l, &more, &e), OK);
  assert_false(more);
  assert_int_equal(l.line, 3);
  linefile_close(&l);
  linefile_close(&l);
  scratch_close(&f);
}

static void an_incomplete_last_line_is_refused(void **state)
{
  (void)state;
  static const char *const TEXTS[] = {"one\n", "one\ntwo"};
  for (size_t i = 0; i < 2; i++) {
    const struct scratch_file f = scratch_file(TEXTS[i], strlen(TEXTS[i]));
    struct linefile l;
    struct err e;
    bool more;
    assert_int_equal(linefile_open(&l, f.path, &e), OK);
    assert_int_equal(linefile_next_whole(&l, &more, &e), OK);
    assert_true(more);
    assert_int_equal(linefile_next_whole(&l, &more, &e), i == 0 ? OK : FAIL);
    if (i == 0)
      assert_false(more);
    else
      assert_non_null(strstr(e.text, ":2: the line has no end: is the file cut off?"));
    linefile_close(&l);
    scratch_close(&f);
  }
}

/* Reads all lines of a text and joins them with '|'. */
static void join(char *out, size_t size, const char *text, size_t length)
{
  const struct scratch_file f = scratch_file(text, length);
  struct linefile l;
  struct err e;
  bool more;
  size_t n = 0;
  assert_int_equal(linefile_open(&l, f.path, &e), OK);
  for (out[0] = '\0'; linefile_next(&l, &more, &e) == OK && more;)
    n += (size_t)snprintf(out + n, size - n, "%s|", l.text);
  assert_false(more);
  linefile_close(&l);
  scratch_close(&f);
}

static void ends_of_lines_make_no_difference(void **state)
{
  (void)state;
  char out[64];
  join(out, sizeof out, "a, \r\nb\r\n", 8);
  assert_string_equal(out, "a, |b|");
  join(out, sizeof out, "a, \nb", 5);
  assert_string_equal(out, "a, |b|");
  join(out, sizeof out, "a\rb\r", 4);
  assert_string_equal(out, "a\rb|");
  join(out, sizeof out, "", 0);
  assert_string_equal(out, "");
}

static void words_are_between_tabs_or_blanks(void **state)
{
  (void)state;
  char text[] = " one\ttwo  \t three ", *rest = text;
  assert_string_equal(linefile_word(&rest), "one");
  assert_string_equal(linefile_word(&rest), "two");
  assert_string_equal(linefile_word(&rest), "three");
  assert_null(linefile_word(&rest));
  assert_null(linefile_word(&rest));
}

/* Reads a line of @p n bytes after another line; returns the status of the second read. */
static enum status read_long(size_t n, size_t *length, struct err *e)
{
  char *text = malloc(n + 3);
  assert_non_null(text);
  memcpy(text, "1\n", 2);
  memset(text + 2, 'x', n);
  text[n + 2] = '\n';
  const struct scratch_file f = scratch_file(text, n + 3);
  free(text);
  struct linefile l;
  bool more;
  assert_int_equal(linefile_open(&l, f.path, e), OK);
  assert_int_equal(linefile_next(&l, &more, e), OK);
  const enum status s = linefile_next(&l, &more, e);
  *length = l.length;
  linefile_close(&l);
  scratch_close(&f);
  return s;
}

static void the_limit_of_length_is_exact(void **state)
{
  (void)state;
  size_t n;
  struct err e;
  assert_int_equal(read_long(LINEFILE_LONGEST, &n, &e), OK);
  assert_int_equal(n, LINEFILE_LONGEST);
  assert_int_equal(read_long(LINEFILE_LONGEST + 1, &n, &e), FAIL);
  assert_non_null(strstr(e.text, ":2: the line is longer than 1048576 bytes"));
}

static void endless_files_are_refused(void **state)
{
  (void)state;
  struct linefile l;
  struct err e;
  bool more;
  assert_int_equal(linefile_open(&l, "/dev/zero", &e), OK);
  assert_int_equal(linefile_next(&l, &more, &e), FAIL);
  assert_string_equal(e.text, "/dev/zero:1: the line is longer than 1048576 bytes");
  linefile_close(&l);
}

static void folders_and_missing_files_are_refused(void **state)
{
  (void)state;
  const struct scratch_file f = scratch_file("a\nb\0c\n", 6);
  struct linefile l;
  struct err e;
  bool more;
  assert_int_equal(linefile_open(&l, f.path, &e), OK);
  assert_int_equal(linefile_next(&l, &more, &e), OK);
  assert_int_equal(linefile_next(&l, &more, &e), FAIL);
  assert_non_null(strstr(e.text, ":2: a NUL character"));
  linefile_close(&l);
  scratch_close(&f);
  assert_int_equal(linefile_open(&l, "/", &e), FAIL);
  assert_string_equal(e.text, "/: cannot read: Is a directory");
  linefile_close(&l);
  assert_int_equal(linefile_open(&l, "/no/such", &e), FAIL);
  assert_string_equal(e.text, "/no/such: cannot read: No such file or directory");
  linefile_close(&l);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ends_of_lines_make_no_difference),
      cmocka_unit_test(words_are_between_tabs_or_blanks),
      cmocka_unit_test(lines_come_one_by_one),
      cmocka_unit_test(an_incomplete_last_line_is_refused),
      cmocka_unit_test(the_limit_of_length_is_exact),
      cmocka_unit_test(endless_files_are_refused),
      cmocka_unit_test(folders_and_missing_files_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

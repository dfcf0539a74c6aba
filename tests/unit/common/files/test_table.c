#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/files/table.h"

/* Sums of the rows that are read. */
struct sums {
  size_t rows, missing;
  double value;
  char texts[64];
};

static enum status add_row(void *state, const struct table *t, const size_t *column, struct err *e)
{
  struct sums *s = state;
  double value;
  if (table_number(t, column[1], &value, e) != OK)
    return FAIL;
  s->rows++;
  s->missing += isnan(value);
  s->value += isnan(value) ? 0 : value;
  const size_t n = strlen(s->texts);
  snprintf(s->texts + n, sizeof s->texts - n, "%s", table_text(t, column[0]));
  return OK;
}

static enum status read_text(const char *text, const char *const *name, struct sums *s,
                             struct err *e)
{
  char path[] = "/tmp/test_table-XXXXXX";
  const int fd = mkstemp(path);
  assert_int_equal(write(fd, text, strlen(text)), strlen(text));
  close(fd);
  *s = (struct sums){0};
  const enum status status = table_read(path, '\t', name, add_row, s, e);
  unlink(path);
  return status;
}

static void rows_are_read(void **state)
{
  static const char *const NAME[] = {"name", "?value", NULL};
  struct sums s;
  struct err e = {""};
  (void)state;
  assert_int_equal(read_text("# c\nvalue\tname\n1.5\ta\n-\tb\n2\tc\n", NAME, &s, &e), OK);
  assert_int_equal(s.rows, 3);
  assert_int_equal(s.missing, 1);
  assert_true(s.value == 3.5);
  assert_string_equal(s.texts, "abc");
  assert_int_equal(read_text("other\tname\n1.5\ta\n", NAME, &s, &e), OK);
  assert_int_equal(s.missing, 1);
}

static void bad_tables_are_refused(void **state)
{
  static const char *const NAME[] = {"name", "value", NULL}, *const NONE[] = {"?", "?value", NULL};
  static const struct {
    const char *text, *error;
  } CASES[] = {{"name\tother\na\t1\n", "no column 'value' in the header"},
               {"name\tvalue\na\n", "1 field instead of 2"},
               {"name\tvalue\na\t\n", "value: "},
               {"name\tvalue\na\t-1\n", "value: "},
               {"", "no header row"}};
  struct sums s;
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    struct err e = {""};
    assert_int_equal(read_text(CASES[i].text, NAME, &s, &e), FAIL);
    if (strstr(e.text, CASES[i].error) == NULL)
      fail_msg("'%s' does not contain '%s'", e.text, CASES[i].error);
  }
  struct err e = {""};
  assert_int_equal(read_text("\tvalue\na\t1\n", NONE, &s, &e), OK);
  assert_string_equal(s.texts, ""); /* "?" is not the column without a name */
}

static void numbers_are_printed(void **state)
{
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  (void)state;
  table_print_number(0.1, f);
  table_print_number(NAN, f);
  table_print_number(12, f);
  fclose(f);
  assert_string_equal(text, "\t0.1\t-\t12");
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_read),
                                     cmocka_unit_test(bad_tables_are_refused),
                                     cmocka_unit_test(numbers_are_printed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

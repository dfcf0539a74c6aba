/* Tables by columns, their JSON for pages, and means over seeds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "plots/report/parts/means.h"
#include "plots/report/sheet.h"
#include "plots/report/text.h"
#include "tests/unit/scratch.h"

static enum status load(struct sheet *s, const char *text, char separator, struct err *e)
{
  const struct scratch_file f = scratch_file(text, strlen(text));
  const enum status status = sheet_load(s, f.path, separator, e);
  scratch_close(&f);
  return status;
}

static void fields_keep_their_text(void **state)
{
  (void)state;
  struct sheet s;
  struct err e;
  assert_int_equal(load(&s, "# c\na,b,c\n1.50,x,-\n-,x\xe9,-\n1.5,x,-\n", ',', &e), OK);
  assert_true(s.rows == 3 && s.columns == 3);
  assert_string_equal(sheet_text(&s, 0, 0), "1.50");
  assert_string_equal(sheet_text(&s, 1, 1), "x?");
  assert_string_equal(sheet_text(&s, 2, 0), "1.5");
  assert_true(sheet_is_number(&s, 0));
  assert_false(sheet_is_number(&s, 1));
  assert_false(sheet_is_number(&s, 2)); /* a column of "-" only is not numeric */
  assert_int_equal(sheet_column(&s, "c"), 2);
  assert_int_equal(sheet_column(&s, "d"), 3);
  sheet_clear(&s);
}

/* The JSON contains the same table and no '<'. */
static void json_is_the_table(void **state)
{
  (void)state;
  static const char *const NAMES[] = {"na\"me", "</script><!--", NULL};
  static const char *const FIELDS[][2] = {
      {"</script>", "1"}, {"<!--<script>", "2"}, {"</script>", "3"}, {"\xc3\xa9\\\"'", "4"}};
  struct sheet s;
  struct err e;
  assert_int_equal(sheet_new(&s, NAMES, &e), OK);
  for (size_t i = 0; i < COUNT(FIELDS); i++)
    assert_int_equal(sheet_add(&s, (char *const *)FIELDS[i], &e), OK);
  char *text = sheet_json(&s, &e);
  assert_null(strchr(text, '<'));
  json_t *made = json_loads(text, 0, NULL), *columns = json_object_get(made, "columns");
  assert_int_equal(json_integer_value(json_object_get(made, "rows")), 4);
  assert_int_equal(json_array_size(columns), 2);
  for (size_t c = 0; c < 2; c++) {
    const json_t *column = json_array_get(columns, c), *row = json_object_get(column, "row"),
                 *texts = json_object_get(column, "text");
    assert_string_equal(json_string_value(json_object_get(column, "name")), NAMES[c]);
    assert_int_equal(json_is_true(json_object_get(column, "number")), c == 1);
    assert_int_equal(row == NULL, c == 1); /* the texts of this column are all different */
    for (size_t i = 0; i < COUNT(FIELDS); i++) {
      const size_t k = row == NULL ? i : (size_t)json_integer_value(json_array_get(row, i));
      assert_string_equal(json_string_value(json_array_get(texts, k)), FIELDS[i][c]);
    }
  }
  json_decref(made);
  free(text);
  sheet_clear(&s);
}

static void bad_tables_are_refused(void **state)
{
  (void)state;
  struct sheet s;
  struct err e;
  assert_int_equal(load(&s, "a\tb\n1\n", '\t', &e), FAIL);
  assert_non_null(strstr(e.text, ":2: 1 field instead of 2"));
  char wide[2 * (SHEET_MOST_COLUMNS + 1) + 1] = "";
  for (size_t i = 0; i < SHEET_MOST_COLUMNS + 1; i++)
    memcpy(wide + 2 * i, i == SHEET_MOST_COLUMNS ? "x\n" : "x\t", 2);
  assert_int_equal(load(&s, wide, '\t', &e), FAIL);
  assert_non_null(strstr(e.text, ": 257 columns, above 256"));
}

static void means_include_rows_with_status_ok_only(void **state)
{
  (void)state;
  struct sheet s;
  struct err e;
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  assert_int_equal(load(&s,
                        "trace\tmapper\tseed\tstatus\ttime_s\thops\treason\n"
                        "t\tr\t1\tok\t1\t-\t-\nt\tx\t-\tok\t7\t9\t-\nt\tr\t2\tok\t2\t5\t-\n"
                        "t\tr\t3\tfailed\t-\t-\tboom\nu\tr\t1\tok\t4\t-\t-\n",
                        '\t', &e),
                   OK);
  assert_int_equal(means_write(&s, f, &e), OK);
  assert_int_equal(fclose(f), 0);
  assert_string_equal(text, "trace\tmapper\tstatus\tseed\ttime_s\thops\n"
                            "t\tr\tok\t1.5\t1.5\t5\n"
                            "t\tx\tok\t-\t7\t9\n"
                            "u\tr\tok\t1\t4\t-\n");
  free(text);
  sheet_clear(&s);
}

static void commands_are_quoted(void **state)
{
  (void)state;
  static const char *const WORDS[] = {"a/b-c.tsv", "", "it's", "$(x) `y`", "caf\xe9", "x\ny"};
  struct err e;
  char *text = text_command(WORDS, COUNT(WORDS), &e);
  assert_string_equal(text, "a/b-c.tsv '' 'it'\\''s' '$(x) `y`' 'caf?' 'x?y'");
  free(text);
  text = text_print(&e, "%s\t%d", "x\xff", 3);
  assert_string_equal(text, "x??3");
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fields_keep_their_text),
      cmocka_unit_test(json_is_the_table),
      cmocka_unit_test(bad_tables_are_refused),
      cmocka_unit_test(means_include_rows_with_status_ok_only),
      cmocka_unit_test(commands_are_quoted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

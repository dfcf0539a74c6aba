/* Insertions and replacements by position. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "predict/instrument/source/edits.h"

static const char TEXT[] = "if (a)\n  b();c();\n";

static struct tree the_tree(struct tree_file *f)
{
  static char path[] = "a.c", text[sizeof TEXT];
  memcpy(text, TEXT, sizeof TEXT);
  *f = (struct tree_file){.path = path, .text = text, .size = sizeof TEXT - 1};
  return (struct tree){.file = f, .files = 1};
}

static void check(struct edits *s, const char *expected)
{
  struct tree_file f;
  const struct tree t = the_tree(&f);
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  edits_sort(s);
  edits_write(s, &t, 0, out);
  fclose(out);
  assert_string_equal(text, expected);
  free(text);
  edits_clear(s);
}

static void closings_come_before_openings(void **state)
{
  (void)state;
  struct edits s = {0};
  struct err e;
  check(&s, TEXT);
  assert_int_equal(edits_insert(&s, 0, 13, "mark(2); ", &e), OK);
  assert_int_equal(edits_insert(&s, 0, 9, "{ ", &e), OK);
  assert_int_equal(edits_insert(&s, 0, 9, "mark(1); ", &e), OK);
  assert_int_equal(edits_close(&s, 0, 13, " }", &e), OK);
  check(&s, "if (a)\n  { mark(1); b(); }mark(2); c();\n");
}

static void a_replaced_text_keeps_its_lines(void **state)
{
  (void)state;
  struct edits s = {0};
  struct err e;
  assert_int_equal(edits_replace(&s, 0, 9, 13, "inner", &e), OK);
  assert_int_equal(edits_replace(&s, 0, 0, 13, ";", &e), OK);
  assert_int_equal(edits_insert(&s, 0, 10, "lost", &e), OK);
  assert_int_equal(edits_insert(&s, 0, 0, "mark(0); ", &e), OK);
  assert_int_equal(edits_insert(&s, 1, 3, "another file", &e), OK);
  check(&s, "mark(0); ;\nc();\n");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closings_come_before_openings),
      cmocka_unit_test(a_replaced_text_keeps_its_lines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

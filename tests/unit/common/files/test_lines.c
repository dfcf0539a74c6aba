#include "common/files/lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* A text that is delivered in pieces of up to @p piece bytes. */
struct pieces {
  const char *text;
  size_t at, piece;
};

static enum status next_piece(void *from, char *buffer, size_t room, size_t *got, struct err *e)
{
  (void)e;
  struct pieces *p = from;
  const size_t left = strlen(p->text) - p->at;
  const size_t n = left < p->piece ? left : p->piece;
  *got = n < room ? n : room;
  memcpy(buffer, p->text + p->at, *got);
  p->at += *got;
  return OK;
}

/* Returns the number of lines in @p text, or -1 if one is longer than @p longest bytes. */
static int count(const char *text, size_t piece, size_t room, size_t longest)
{
  struct pieces p = {text, 0, piece};
  const struct lines_input in = {next_piece, &p, "t"};
  struct lines l = {.room = room, .longest = longest};
  struct err e;
  char *line = NULL;
  size_t length;
  enum status s;
  while ((s = lines_next(&l, &in, &line, &length, &e)) == OK && line != NULL) {
    assert_true(length <= longest);
    assert_null(memchr(line, '\n', length));
    assert_int_equal(l.whole, text[p.at - (l.end - l.begin) - 1] == '\n');
  }
  const int n = s == OK ? (int)l.line : -1;
  if (s != OK)
    assert_non_null(strstr(e.text, ": the line is longer than "));
  lines_clear(&l);
  assert_int_equal(l.longest, longest);
  return n;
}

static void lines_are_bounded_to_the_byte(void **state)
{
  (void)state;
  for (size_t piece = 1; piece < 12; piece++)
    for (size_t room = 1; room <= 5; room++) {
      assert_int_equal(count("", piece, room, 5), 0);
      assert_int_equal(count("\n", piece, room, 5), 1);
      assert_int_equal(count("ab\ncd", piece, room, 5), 2);
      assert_int_equal(count("12345\n\n12345\n1", piece, room, 5), 4);
      assert_int_equal(count("1\n12345", piece, room, 5), 2);
      assert_int_equal(count("1\n123456", piece, room, 5), -1);
      assert_int_equal(count("1\n123456\n", piece, room, 5), -1);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_are_bounded_to_the_byte),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

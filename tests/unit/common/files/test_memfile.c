#include "common/files/memfile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void flushed_text_is_read_through_the_path(void **state)
{
  (void)state;
  struct memfile m;
  struct err e;
  char text[8] = "";
  assert_int_equal(memfile_open(&m, "numbers", &e), OK);
  fputs("1 2", m.f);
  assert_int_equal(memfile_flush(&m, &e), OK);
  FILE *f = fopen(m.path, "r");
  assert_non_null(f);
  assert_non_null(fgets(text, sizeof text, f));
  assert_string_equal(text, "1 2");
  fclose(f);
  memfile_close(&m);
}

static void another_program_reads_and_writes_it(void **state)
{
  (void)state;
  struct memfile m;
  struct err e;
  char command[96], text[8] = "";
  assert_int_equal(memfile_open(&m, "letters", &e), OK);
  fputs("abc", m.f);
  assert_int_equal(memfile_flush(&m, &e), OK);
  snprintf(command, sizeof command, "tr a-c x-z <%s 1<>%s", m.path, m.path);
  assert_int_equal(system(command), 0);
  rewind(m.f);
  assert_non_null(fgets(text, sizeof text, m.f));
  assert_string_equal(text, "xyz");
  memfile_close(&m);
}

static void nothing_is_left_behind(void **state)
{
  (void)state;
  struct memfile m;
  struct err e;
  char path[sizeof m.path];
  assert_int_equal(memfile_open(&m, "gone", &e), OK);
  memcpy(path, m.path, sizeof path);
  assert_int_equal(access(path, F_OK), 0);
  memfile_close(&m);
  assert_int_equal(access(path, F_OK), -1);
  memfile_close(&m);
}

static void a_failed_write_is_an_error(void **state)
{
  (void)state;
  struct memfile m;
  struct err e;
  assert_int_equal(memfile_open(&m, "full", &e), OK);
  assert_non_null(freopen("/dev/full", "w", m.f));
  fputs("1", m.f);
  assert_int_equal(memfile_flush(&m, &e), FAIL);
  assert_string_equal(e.text, "full: cannot write: No space left on device");
  memfile_close(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flushed_text_is_read_through_the_path),
      cmocka_unit_test(another_program_reads_and_writes_it),
      cmocka_unit_test(nothing_is_left_behind),
      cmocka_unit_test(a_failed_write_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

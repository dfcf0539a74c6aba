#include "tests/unit/scratch.h"
#include "tests/unit/traces/texts.h"
#include "traces/files/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void plain_files_are_read_in_place(void **state)
{
  (void)state;
  static const struct file FILES[] = {
      {"d/index.txt", "r/0\nr/1\n", 0},
      {"d/r/0", A, 0},
      {"d/r/1", B, 0},
      {"crlf", "d/r/0\r\n\td/r/1 \r\n", 0},
      {"here", "d/r/0\nx1", 0},
      {"x1", B, 0},
      {"d/outside", "x0\nx1\n", 0},
      {"x0", A, 0},
  };
  assert_int_equal(mkdir("d", 0777) | mkdir("d/r", 0777), 0);
  for (size_t i = 0; i < COUNT(FILES); i++)
    write_file(&FILES[i]);
  assert_source("d/index.txt", "d/r/0", "d/r/1");
  assert_source("d", "d/r/0", "d/r/1");
  assert_source("d/", "d/r/0", "d/r/1");
  assert_source("crlf", "d/r/0", "d/r/1");
  assert_source("here", "d/r/0", "x1");
  assert_source("d/outside", "x0", "x1");
}

/* Checks the names of the files on disk; @p file is terminated by NULL. */
static void assert_inputs(const char *path, const char *const *file)
{
  struct source *s;
  struct err e;
  assert_int_equal(source_open(&s, path, SPOOL_LIMIT, &e), OK);
  for (size_t i = 0; file[i] != NULL; i++)
    assert_string_equal(source_input(s, i), file[i]);
  size_t n = 0;
  while (file[n] != NULL)
    n++;
  assert_null(source_input(s, n));
  source_free(s);
}

static void all_files_on_disk_are_named(void **state)
{
  (void)state;
  static const struct file FILES[] = {
      {"files/index.txt", "a\nb\n", 0},
      {"files/a", A, 0},
      {"files/b", B, 0},
      {"n", MERGED, 0},
      {"n1", "n\n", 0},
  };
  assert_int_equal(mkdir("files", 0777), 0);
  for (size_t i = 0; i < COUNT(FILES); i++)
    write_file(&FILES[i]);
  assert_inputs("files", (const char *const[]){"files/index.txt", "files/a", "files/b", NULL});
  assert_inputs("n", (const char *const[]){"n", NULL});
  assert_inputs("n1", (const char *const[]){"n1", "n", NULL});
}

static void merged_files_are_split(void **state)
{
  (void)state;
  static const struct file FILES[] = {{"m", MERGED, 0}, {"one", "m\n", 0}};
  for (size_t i = 0; i < COUNT(FILES); i++)
    write_file(&FILES[i]);
  assert_source("m", "m", "m");
  assert_source("one", "m", "m");
}

static void pipes_are_read_once(void **state)
{
  (void)state;
  int end[2];
  char path[32];
  assert_int_equal(pipe(end), 0);
  assert_int_equal(write(end[1], MERGED, strlen(MERGED)), strlen(MERGED));
  close(end[1]);
  snprintf(path, sizeof path, "/dev/fd/%d", end[0]);
  assert_source(path, path, path);
  close(end[0]);
}

static void an_empty_file_is_a_rank_without_actions(void **state)
{
  (void)state;
  static const struct file FILES[] = {{"i", "e0\ne1\n", 0}, {"e0", "", 0}, {"e1", B, 0}};
  for (size_t i = 0; i < COUNT(FILES); i++)
    write_file(&FILES[i]);
  struct source *s;
  struct err e;
  assert_int_equal(source_open(&s, "i", SPOOL_LIMIT, &e), OK);
  assert_text(s, 0, "");
  assert_text(s, 1, B);
  source_free(s);
}

/* --- refusals -------------------------------------------------------------------------------- */

static void assert_refused(const char *path, const char *why)
{
  struct source *s = NULL;
  struct err e = {{0}};
  assert_int_equal(source_open(&s, path, SPOOL_LIMIT, &e), FAIL);
  assert_null(s);
  assert_string_equal(e.text, why);
}

struct refusal {
  struct file file;
  const char *why;
};

#define TEXT(s) (s), sizeof(s) - 1

static const struct refusal REFUSED[] = {
    {{"f", TEXT("")}, "f: the trace is empty"},
    {{"f", TEXT("# only\n\n")}, "f: the trace is empty"},
    {{"f", TEXT("x0\n\nx0\n")}, "f:2: an index has no blank lines, only one file name a line"},
    {{"f", TEXT("# c\nx0\n")}, "f:1: an index has no comments, only one file name a line"},
    {{"f", TEXT("x0\nno\n")}, "f:2: there is no file 'no'"},
    {{"f", TEXT("x0\n/no/no\n")}, "f:2: there is no file '/no/no'"},
    {{"f", TEXT("x0\n/dev/zero\n")}, "f:2: '/dev/zero' is not a file"},
    {{"f", TEXT("x0\n.\n")}, "f:2: '.' is not a file"},
    {{"f", TEXT("x0\nx\0\n")}, "f:2: a NUL character"},
    {{"f", TEXT("x0\n42\n")}, "f:2: there is no file '42'"},
    {{"f", TEXT("empty\n")}, "empty: no actions"},
    {{"f", TEXT("f\n")}, "f:1: 'f' is not a rank below 1048576"},
    {{"f", TEXT("0 init\n2 init\n")}, "f: no line of rank 1, but there are lines of rank 2"},
    {{"f", TEXT("0 init\nx init\n")}, "f:2: 'x' is not a rank below 1048576"},
    {{"f", TEXT("0 init\n01 init\n")}, "f:2: '01' is not a rank below 1048576"},
    {{"f", TEXT("0 init\n-1 init\n")}, "f:2: '-1' is not a rank below 1048576"},
    {{"f", TEXT("0 init\n1048576 init\n")}, "f:2: '1048576' is not a rank below 1048576"},
    {{"f", TEXT("0 init\n99999999999999999999 init\n")},
     "f:2: '99999999999999999999' is not a rank below 1048576"},
};

static void other_files_are_refused(void **state)
{
  (void)state;
  static const struct file RANK = {"x0", A, 0}, EMPTY = {"empty", "", 0};
  write_file(&RANK);
  write_file(&EMPTY);
  for (size_t i = 0; i < COUNT(REFUSED); i++) {
    /* Here a size of 0 is an empty file. */
    scratch_write_bytes("f", REFUSED[i].file.text, REFUSED[i].file.size);
    assert_refused("f", REFUSED[i].why);
  }
  assert_int_equal(mkdir("e", 0777), 0);
  assert_refused("e", "e: no index.txt in this folder");
  assert_int_equal(mkdir("e/index.txt", 0777), 0);
  assert_refused("e", "e/index.txt: a folder where a file should be");
  assert_refused("none", "none: cannot open: No such file or directory");
}

static void a_missing_temporary_folder_is_a_failure(void **state)
{
  (void)state;
  static const struct file FILE = {"m", MERGED, 0};
  char *before = getenv("TMPDIR") == NULL ? NULL : strdup(getenv("TMPDIR"));
  write_file(&FILE);
  setenv("TMPDIR", "/no/such", 1);
  assert_refused("m", "/no/such: cannot create a temporary file: No such file or directory");
  if (before == NULL)
    unsetenv("TMPDIR");
  else
    setenv("TMPDIR", before, 1);
  free(before);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_files_are_read_in_place),
      cmocka_unit_test(all_files_on_disk_are_named),
      cmocka_unit_test(merged_files_are_split),
      cmocka_unit_test(pipes_are_read_once),
      cmocka_unit_test(an_empty_file_is_a_rank_without_actions),
      cmocka_unit_test(other_files_are_refused),
      cmocka_unit_test(a_missing_temporary_folder_is_a_failure),
  };
  return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "setup/recorder.h"
#include "tests/unit/scratch.h"

#define HEAD   "#      \n# recorded: rank 0 of 2, a library\n"
#define COUNTS "# recorded: messages 3 collectives 4 one-sided 5 files 6\n"

static void write_file(const char *path, const char *text, size_t zeros)
{
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  while (zeros-- > 0)
    putc('\0', f);
  assert_int_equal(fclose(f), 0);
}

/* Makes a folder of two ranks; NULL: the rank has no file. */
static void make(const char *first, const char *second, size_t zeros)
{
  assert_int_equal(system("rm -rf d && mkdir -p d/ranks"), 0);
  if (first != NULL)
    write_file("d/ranks/rank-0000.txt", first, 0);
  if (second != NULL)
    write_file("d/ranks/rank-0001.txt", second, zeros);
}

static const char *contents(const char *path)
{
  static char text[4096];
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  text[fread(text, 1, sizeof text - 1, f)] = '\0';
  fclose(f);
  return text;
}

static void complete_traces_get_an_index(void **state)
{
  (void)state;
  struct recorded r;
  struct err e;
  make(HEAD "0 init\n" COUNTS "0 finalize\n", "1 init\n" COUNTS "1 finalize\n", 0);
  assert_int_equal(recorder_finish("d", false, 10, NULL, &r, &e), OK);
  assert_true(r.ranks == 2 && r.cut == 0 && r.messages == 6 && r.collectives == 8);
  assert_true(r.one_sided == 10 && r.files == 12);
  assert_string_equal(contents("d/index.txt"), "ranks/rank-0000.txt\nranks/rank-0001.txt\n");
}

static void killed_ranks_are_cut_after_their_last_line(void **state)
{
  (void)state;
  static const size_t ZEROS[] = {0, 1, 65536, 1 << 20, (1 << 20) + 4096};
  for (size_t i = 0; i < sizeof ZEROS / sizeof *ZEROS; i++) {
    struct recorded r;
    struct err e;
    char *text = NULL;
    size_t size;
    make(HEAD "0 init\n" COUNTS "0 finalize\n", "1 init\n1 recv 0 1 8\n# haichi: on 5\n1 se",
         ZEROS[i]);
    FILE *f = open_memstream(&text, &size);
    assert_int_equal(recorder_finish("d", false, 10, f, &r, &e), OK);
    fclose(f);
    assert_int_equal(r.cut, 1);
    assert_string_equal(text,
                        "  rank 1 ended after '1 recv 0 1 8' (d/ranks/rank-0001.txt, 3 lines)\n");
    assert_string_equal(contents("d/ranks/rank-0001.txt"),
                        "1 init\n1 recv 0 1 8\n# haichi: on 5\n");
    free(text);
  }
}

static void incomplete_recordings_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *first, *second, *why;
  } CASE[] = {
      {NULL, NULL, "d: nothing was recorded"},
      {HEAD, NULL, "d/ranks/rank-0001.txt: rank 1 of 2 has no file"},
      {"0 init\n", "1 init\n", "d/ranks/rank-0000.txt: no recorded trace"},
      {"# recorded: rank 0 of 0,\n", "", "rank-0000.txt: no recorded trace"},
      {"# recorded: rank 0 of 99999999999,\n", "", "rank-0000.txt: no recorded trace"},
      {"", "", "rank-0000.txt: no recorded trace"},
      {HEAD "0 finalize\n", "1 finalize\n", "d: no communication was recorded"},
  };
  for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
    struct recorded r;
    struct err e;
    make(CASE[i].first, CASE[i].second, 0);
    assert_int_equal(recorder_finish("d", false, 10, NULL, &r, &e), FAIL);
    if (strstr(e.text, CASE[i].why) == NULL)
      fail_msg("case %zu: %s", i, e.text);
    assert_int_equal(access("d/index.txt", F_OK), -1);
  }
}

static void refused_programs_leave_no_folder(void **state)
{
  (void)state;
  struct recorded r;
  struct err e;
  for (int own = 0; own <= 1; own++) {
    make(HEAD, NULL, 0);
    write_file("d/refused", "rank 0: MPI_X: why\n", 0);
    assert_int_equal(recorder_finish("d", own, 10, NULL, &r, &e), FAIL);
    assert_string_equal(e.text, "record: rank 0: MPI_X: why");
    assert_int_equal(access("d", F_OK), own ? -1 : 0); /* a folder given by --finish stays */
  }
}

int main(void)
{
  static const struct CMUnitTest TESTS[] = {
      cmocka_unit_test(complete_traces_get_an_index),
      cmocka_unit_test(killed_ranks_are_cut_after_their_last_line),
      cmocka_unit_test(incomplete_recordings_are_refused),
      cmocka_unit_test(refused_programs_leave_no_folder),
  };
  return cmocka_run_group_tests(TESTS, scratch_enter, scratch_leave);
}

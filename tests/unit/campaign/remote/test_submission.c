#include "campaign/remote/submission.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/scratch.h"

static struct submission_words words_of(int argc, char **argv)
{
  struct submission_words w;
  struct err e;
  assert_int_equal(submission_words_make(&w, argc, argv, &e), OK);
  return w;
}

static struct submission new_in(const char *folder)
{
  struct submission s;
  struct err e;
  assert_int_equal(submission_new(&s, folder, &e), OK);
  return s;
}

static void words_are_read_back_unchanged(void **state)
{
  (void)state;
  char *argv[] = {(char[]){"haichi compare"}, (char[]){""}, (char[]){"a b\n'\"$(x)"},
                  (char[]){"\377"}};
  struct submission_words w = words_of(4, argv), read;
  struct submission s = new_in(".");
  struct err e;
  assert_int_equal(submission_write(&s, &w, "/bin/haichi", &e), OK);
  assert_int_equal(submission_words_read(&read, s.path, &e), OK);
  assert_int_equal(read.count, 4);
  char *here = getcwd(NULL, 0);
  assert_string_equal(read.word[0], here);
  free(here);
  for (size_t i = 1; i < 4; i++)
    assert_string_equal(read.word[i], argv[i]);
  assert_null(read.word[4]);
  submission_words_clear(&read);
  submission_words_clear(&w);
  submission_clear(&s);
}

static void a_task_reads_its_own_items(void **state)
{
  (void)state;
  struct submission_words w = words_of(1, (char *[]){(char[]){"x"}});
  struct submission s = new_in("."), read;
  struct err e;
  for (uint32_t i = 0; i < 10; i++) {
    struct submission_item item = {.task = i / 4 + 1, .subject = i % 3, .item = 100 + i};
    snprintf(item.key, sizeof item.key, "key%u", (unsigned)i);
    assert_int_equal(submission_add(&s, &item, &e), OK);
  }
  assert_int_equal(s.tasks, 3);
  assert_int_equal(submission_write(&s, &w, "/bin/haichi", &e), OK);
  static const size_t COUNTS[] = {10, 4, 4, 2, 0};
  for (uint32_t task = 0; task < 5; task++) {
    assert_int_equal(submission_open(&read, s.path, task, &e), OK);
    assert_int_equal(read.items, COUNTS[task]);
    if (task == 2)
      assert_memory_equal(&read.item[1], &s.item[5], sizeof *s.item);
    submission_clear(&read);
  }
  submission_words_clear(&w);
  submission_clear(&s);
}

/* The shell must pass these paths unchanged: the program is a script that prints its arguments. */
static void a_script_passes_odd_paths_unchanged(void **state)
{
  (void)state;
  static const char ODD[] = "it's\n\"$(touch owned)\" `touch owned` %s \\ \303\244 #;&\n";
  struct submission_words w = words_of(1, (char *[]){(char[]){"x"}});
  struct err e;
  assert_int_equal(mkdir(ODD, 0777), 0);
  struct submission s = new_in(ODD);
  char *program, *command, text[4096] = "", *whole = realpath(ODD, NULL);
  assert_true(asprintf(&program, "%s/print", whole) > 0);
  scratch_write(program, "#!/bin/sh\nprintf '%s|' \"$@\"\n");
  assert_int_equal(chmod(program, 0755), 0);
  assert_int_equal(submission_write(&s, &w, program, &e), OK);
  assert_int_equal(chdir(s.path), 0);
  assert_int_equal(asprintf(&command, "SLURM_ARRAY_TASK_ID=7 sh script"), 31);
  assert_int_equal(system(command), 0);
  FILE *f = fopen("log.7", "r");
  assert_non_null(f);
  assert_true(fread(text, 1, sizeof text - 1, f) > 0);
  fclose(f);
  free(command);
  assert_true(asprintf(&command, "compare|--run-task|%s|7|", s.path) > 0);
  assert_string_equal(text, command);
  assert_int_not_equal(access("owned", F_OK), 0);
  assert_int_equal(chdir("../../.."), 0);
  assert_int_not_equal(access("owned", F_OK), 0);
  free(command);
  free(program);
  free(whole);
  submission_words_clear(&w);
  submission_clear(&s);
}

static void bad_tasks_are_refused(void **state)
{
  (void)state;
  static const char *const CASES[][2] = {
      {"1\t2\n", ":1: expected task, subject, item and key"},
      {"1\t2\t3\n", ":1: expected task, subject, item and key"},
      {"0\t2\t3\ta\n", ":1: expected the number of a task and a key, not 'a'"},
      {"1\t2\t3\ta\n-1\t2\t3\ta\n", ":2: '-1' is not a whole number"},
      {"1\t2\t3\ta", ":1: the line has no end: is the file cut off?"},
  };
  struct submission s = new_in(".");
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    struct submission read;
    struct err e;
    char *path, *expected;
    assert_true(asprintf(&path, "%s/tasks", s.path) > 0);
    assert_true(asprintf(&expected, "%s%s", path, CASES[i][1]) > 0);
    scratch_write(path, CASES[i][0]);
    assert_int_equal(submission_open(&read, s.path, 0, &e), FAIL);
    assert_string_equal(e.text, expected);
    free(path);
    free(expected);
  }
  submission_clear(&s);
}

static enum status note(void *arg, const char *path, struct err *e)
{
  (void)e;
  strncat(arg, strrchr(path, '/'), 8);
  return OK;
}

static void submissions_are_numbered_and_removed(void **state)
{
  (void)state;
  struct submission s[11];
  struct err e;
  char found[100] = "";
  for (size_t i = 0; i < 11; i++)
    s[i] = new_in(".");
  assert_int_equal(mkdir("on/other", 0777), 0);
  assert_int_equal(submission_each(".", note, found, &e), OK);
  assert_string_equal(found, "/1/2/3/4/5/6/7/8/9/10/11");
  rmdir("on/other");
  for (size_t i = 0; i < 11; i++) {
    submission_remove(&s[i]);
    submission_clear(&s[i]);
  }
  assert_int_not_equal(access("on", F_OK), 0);
  assert_int_equal(submission_each(".", note, found, &e), OK);
  assert_int_equal(submission_each("none", note, found, &e), FAIL);
}

static void the_job_and_the_last_line_of_a_log_are_found(void **state)
{
  (void)state;
  struct submission s = new_in(".");
  struct err e;
  char text[100];
  const struct backend *backend;
  struct backend_handle job;
  assert_int_equal(submission_job(&s, &backend, &job, &e), OK);
  assert_null(backend);
  assert_int_equal(submission_set_job(&s, "slurm", "12", &e), OK);
  assert_int_equal(submission_job(&s, &backend, &job, &e), OK);
  assert_string_equal(backend->name, "slurm");
  assert_string_equal(job.id, "12");
  assert_int_equal(submission_set_job(&s, "none", "12", &e), OK);
  assert_int_equal(submission_job(&s, &backend, &job, &e), OK);
  assert_null(backend);
  submission_last_line(&s, 3, text, sizeof text);
  assert_string_equal(text, "");
  scratch_write("on/1/log.3", "first\nlast\r\n\r\n\n");
  submission_last_line(&s, 3, text, sizeof text);
  assert_string_equal(text, "last");
  submission_clear(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(words_are_read_back_unchanged),
      IN_FOLDER(a_task_reads_its_own_items),
      IN_FOLDER(a_script_passes_odd_paths_unchanged),
      IN_FOLDER(bad_tasks_are_refused),
      IN_FOLDER(submissions_are_numbered_and_removed),
      IN_FOLDER(the_job_and_the_last_line_of_a_log_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

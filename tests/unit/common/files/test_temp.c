#include "common/files/temp.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/scratch.h"

static void a_file_gets_its_name_last(void **state)
{
  (void)state;
  struct temp t;
  struct err e;
  struct stat st;
  int fd;
  const mode_t mask = umask(027);
  assert_int_equal(temp_file(&t, "out", &fd, &e), OK);
  umask(mask);
  assert_int_equal(strncmp(t.path, "out.", 4), 0);
  assert_int_equal(strlen(t.path), 10);
  assert_int_equal(write(fd, "x", 1), 1);
  close(fd);
  assert_int_equal(access("out", F_OK), -1);
  assert_int_equal(temp_commit(&t, "out", &e), OK);
  assert_null(t.path);
  assert_int_equal(stat("out", &st), 0);
  assert_int_equal(st.st_size, 1);
  assert_int_equal(st.st_mode & 0777, 0640);
  temp_abandon(&t);
  assert_int_equal(access("out", F_OK), 0);
}

static void abandoned_files_are_removed(void **state)
{
  (void)state;
  struct temp t;
  struct err e;
  int fd;
  assert_int_equal(temp_folder(&t, "out", &e), OK);
  char inner[64], name[64];
  snprintf(name, sizeof name, "%s", t.path);
  snprintf(inner, sizeof inner, "%s/inner", t.path);
  assert_int_equal(mkdir(inner, 0700), 0);
  temp_abandon(&t);
  assert_int_equal(access(name, F_OK), -1);
  assert_int_equal(temp_file(&t, "out", &fd, &e), OK);
  close(fd);
  snprintf(name, sizeof name, "%s", t.path);
  temp_abandon(&t);
  assert_int_equal(access(name, F_OK), -1);
}

static void failures_name_the_file(void **state)
{
  (void)state;
  struct temp t = {0};
  struct err e;
  int fd;
  assert_int_equal(temp_file(&t, "", &fd, &e), FAIL);
  assert_string_equal(e.text, "'': cannot create: No such file or directory");
  assert_int_equal(temp_file(&t, "no/out", &fd, &e), FAIL);
  assert_string_equal(e.text, "no/out: cannot create: No such file or directory");
  assert_int_equal(temp_folder(&t, "out", &e), OK);
  assert_int_equal(close(open("out", O_WRONLY | O_CREAT, 0600)), 0);
  assert_int_equal(temp_commit(&t, "out", &e), FAIL);
  assert_string_equal(e.text, "out: cannot write: Not a directory");
  temp_abandon(&t);
}

static void unnamed_files_have_no_name(void **state)
{
  (void)state;
  struct err e;
  struct stat st;
  int fd;
  char *here = get_current_dir_name();
  setenv("TMPDIR", here, 1);
  assert_string_equal(temp_dir(), here);
  assert_int_equal(temp_unnamed(&fd, &e), OK);
  assert_int_equal(fstat(fd, &st), 0);
  assert_int_equal(st.st_nlink, 0);
  close(fd);
  assert_int_equal(rmdir(here), 0); /* succeeds because the folder is empty */
  assert_int_equal(mkdir(here, 0700), 0);
  setenv("TMPDIR", "/no/such", 1);
  assert_int_equal(temp_unnamed(&fd, &e), FAIL);
  assert_string_equal(e.text,
                      "/no/such: cannot create a temporary file: No such file or directory");
  unsetenv("TMPDIR");
  assert_string_equal(temp_dir(), "/tmp");
  assert_int_equal(chdir(here), 0);
  free(here);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(a_file_gets_its_name_last),
      IN_FOLDER(abandoned_files_are_removed),
      IN_FOLDER(failures_name_the_file),
      IN_FOLDER(unnamed_files_have_no_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

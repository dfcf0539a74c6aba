#include "common/files/outfile.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/scratch.h"

static int files_here(void)
{
  DIR *d = opendir(".");
  int n = 0;
  for (const struct dirent *x; (x = readdir(d)) != NULL;)
    n += x->d_name[0] != '.';
  closedir(d);
  return n;
}

/* Replaces the function of the C library: records synced files and folders in order, and whether
 * "out" existed at that time. */
static char synced[8];
static size_t syncs;
static int sync_result;

int fsync(int fd)
{
  struct stat st;
  fstat(fd, &st);
  const bool there = access("out", F_OK) == 0;
  if (syncs + 1 < sizeof synced)
    synced[syncs++] = S_ISDIR(st.st_mode) ? (there ? 'D' : 'd') : there ? 'F' : 'f';
  return sync_result;
}

static void forget_syncs(void)
{
  memset(synced, 0, sizeof synced);
  syncs = 0;
  sync_result = 0;
}

static void assert_content(const char *path, const char *want)
{
  char text[64] = "";
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  text[fread(text, 1, sizeof text - 1, f)] = '\0';
  fclose(f);
  assert_string_equal(text, want);
}

static void a_file_appears_when_complete(void **state)
{
  (void)state;
  struct outfile o;
  struct err e;
  const mode_t mask = umask(027);
  assert_int_equal(outfile_open(&o, "out", &e), OK);
  fputs("one\n", o.f);
  assert_int_not_equal(access("out", F_OK), 0);
  assert_int_equal(outfile_commit(&o, &e), OK);
  umask(mask);
  assert_content("out", "one\n");
  struct stat st;
  assert_int_equal(stat("out", &st), 0);
  assert_int_equal(st.st_mode & 0777, 0640);
  assert_int_equal(files_here(), 1);
}

static void dropping_leaves_the_target_alone(void **state)
{
  (void)state;
  struct outfile o;
  struct err e;
  assert_int_equal(outfile_open(&o, "out", &e), OK);
  fputs("old", o.f);
  assert_int_equal(outfile_commit(&o, &e), OK);
  assert_int_equal(outfile_open(&o, "out", &e), OK);
  fputs("new", o.f);
  outfile_abandon(&o);
  assert_content("out", "old");
  assert_int_equal(files_here(), 1);
}

static void a_full_device_is_a_failure(void **state)
{
  (void)state;
  struct outfile o;
  struct err e;
  assert_int_equal(outfile_open(&o, "/dev/full", &e), OK);
  fputs("x", o.f);
  assert_int_equal(outfile_commit(&o, &e), FAIL);
  assert_string_equal(e.text, "/dev/full: cannot write: No space left on device");
  /* The reason is also found if an earlier write failed. */
  assert_int_equal(outfile_open(&o, "/dev/full", &e), OK);
  for (int i = 0; i < 100000; i++)
    fputs("x", o.f);
  assert_int_equal(fflush(o.f), EOF);
  assert_int_equal(outfile_commit(&o, &e), FAIL);
  assert_string_equal(e.text, "/dev/full: cannot write: No space left on device");
}

static enum status write_out(bool durable, struct err *e)
{
  struct outfile o;
  assert_int_equal(outfile_open(&o, "out", e), OK);
  o.durable = durable;
  fputs("x", o.f);
  return outfile_commit(&o, e);
}

/* Output to a link replaces the target of the link; a link without a target is refused. */
static void links_are_followed(void **state)
{
  (void)state;
  struct err e;
  struct stat st;
  assert_int_equal(mkdir("folder", 0777), 0);
  assert_int_equal(close(creat("folder/target", 0600)), 0);
  assert_int_equal(symlink("folder/target", "out"), 0);
  assert_int_equal(write_out(false, &e), OK);
  assert_true(lstat("out", &st) == 0 && S_ISLNK(st.st_mode));
  assert_true(lstat("folder/target", &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 1);
  assert_int_equal(unlink("folder/target"), 0);
  assert_int_equal(rmdir("folder"), 0);
  struct outfile o;
  assert_int_equal(outfile_open(&o, "out", &e), FAIL);
  assert_string_equal(e.text, "out: cannot follow the link: No such file or directory");
  assert_true(lstat("out", &st) == 0 && S_ISLNK(st.st_mode));
  assert_int_equal(unlink("out"), 0);
}

static void durable_files_are_synced_before_they_are_renamed(void **state)
{
  (void)state;
  struct err e;
  forget_syncs();
  assert_int_equal(write_out(true, &e), OK);
  assert_string_equal(synced, "fD");
  forget_syncs();
  assert_int_equal(outfile_sync("out", &e), OK);
  assert_string_equal(synced, "F");
  assert_int_equal(unlink("out"), 0);
  forget_syncs();
  assert_int_equal(write_out(false, &e), OK);
  assert_string_equal(synced, "");
}

static void a_sync_that_fails_is_a_failure(void **state)
{
  (void)state;
  struct err e;
  forget_syncs();
  sync_result = -1;
  assert_int_equal(write_out(true, &e), FAIL);
  assert_int_not_equal(access("out", F_OK), 0);
  assert_int_equal(files_here(), 0);
  sync_result = 0;
}

static void bad_paths_are_refused(void **state)
{
  (void)state;
  struct outfile o;
  struct err e;
  assert_int_equal(outfile_open(&o, "no/such/out", &e), FAIL);
  assert_string_equal(e.text, "no/such/out: cannot create: No such file or directory");
  assert_int_equal(mkdir("out", 0700), 0);
  assert_int_equal(outfile_open(&o, "out", &e), FAIL);
  assert_string_equal(e.text, "out: cannot write: Is a directory");
}

static void a_target_that_cannot_be_replaced_leaves_nothing(void **state)
{
  (void)state;
  struct outfile o;
  struct err e;
  assert_int_equal(outfile_open(&o, "out", &e), OK);
  assert_int_equal(mkdir("out", 0700), 0);
  assert_int_equal(outfile_commit(&o, &e), FAIL);
  assert_non_null(strstr(e.text, "out: cannot write"));
  assert_int_equal(files_here(), 1);
}

static void folders_are_made_with_their_parents(void **state)
{
  (void)state;
  struct err e;
  struct stat st;
  for (int again = 0; again < 2; again++)
    assert_int_equal(outfile_folder("a/b/c", &e), OK);
  assert_true(stat("a/b/c", &st) == 0 && S_ISDIR(st.st_mode));
  assert_int_equal(close(creat("file", 0600)), 0);
  assert_int_equal(outfile_folder("file", &e), FAIL);
  assert_string_equal(e.text, "file: cannot create the folder: File exists");
  assert_int_equal(outfile_folder("file/d", &e), FAIL);
  assert_string_equal(e.text, "file/d: cannot create the folder: Not a directory");
  assert_int_equal(outfile_folder("-", &e), FAIL);
  assert_string_equal(e.text, "-: standard output is no folder; a folder of this name is './-'");
  assert_int_equal(outfile_folder("", &e), FAIL);
  assert_string_equal(e.text, "'': cannot create the folder: No such file or directory");
}

static void standard_output_stays_open(void **state)
{
  (void)state;
  static const char *const names[] = {"-", NULL};
  for (int i = 0; i < 2; i++) {
    struct outfile o;
    struct err e;
    assert_int_equal(outfile_open(&o, names[i], &e), OK);
    assert_ptr_equal(o.f, stdout);
    if (i == 0)
      assert_int_equal(outfile_commit(&o, &e), OK);
    else
      outfile_abandon(&o);
  }
  assert_true(fflush(stdout) == 0);
}

static void bad_paths_are_found_before_writing(void **state)
{
  (void)state;
  struct err e;
  assert_int_equal(outfile_check("out", &e), OK);
  assert_int_equal(outfile_check("-", &e), OK);
  assert_int_equal(outfile_check(NULL, &e), OK);
  assert_int_equal(outfile_check("/dev/null", &e), OK);
  assert_int_equal(files_here(), 0);
  assert_int_equal(outfile_check("no/out", &e), FAIL);
  assert_string_equal(e.text, "no/out: cannot create: No such file or directory");
  assert_int_equal(outfile_check("", &e), FAIL);
  assert_string_equal(e.text, "'': cannot create: No such file or directory");
  assert_int_equal(outfile_check("/", &e), FAIL);
  assert_string_equal(e.text, "/: cannot write: Is a directory");
  assert_int_equal(mkfifo("out", 0600), 0); /* opening it would block */
  assert_int_equal(outfile_check("out", &e), OK);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(a_file_appears_when_complete),
      IN_FOLDER(dropping_leaves_the_target_alone),
      IN_FOLDER(a_full_device_is_a_failure),
      IN_FOLDER(links_are_followed),
      IN_FOLDER(durable_files_are_synced_before_they_are_renamed),
      IN_FOLDER(a_sync_that_fails_is_a_failure),
      IN_FOLDER(bad_paths_are_refused),
      IN_FOLDER(a_target_that_cannot_be_replaced_leaves_nothing),
      IN_FOLDER(bad_paths_are_found_before_writing),
      IN_FOLDER(folders_are_made_with_their_parents),
      cmocka_unit_test(standard_output_stays_open),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

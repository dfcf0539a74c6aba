#include "common/files/cleanup.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/unit/scratch.h"

static void make_file(const char *path)
{
  const int fd = open(path, O_WRONLY | O_CREAT, 0600);
  assert_true(fd >= 0);
  close(fd);
}

/* In a child process: registers "file" and "folder", drops "kept", then raises signal @p number. */
static int end_by(int number)
{
  const pid_t child = fork();
  if (child == 0) {
    static const char *const NAMES[] = {"file", "folder", "kept"};
    struct cleanup *c[3];
    struct err e;
    for (int i = 0; i < 3; i++)
      if (cleanup_add(&c[i], NAMES[i], &e) != OK)
        _exit(1);
    cleanup_drop(c[2]);
    cleanup_catch_signals();
    raise(number);
    _exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return status;
}

static void make_tree(void)
{
  make_file("file");
  make_file("kept");
  assert_int_equal(mkdir("folder", 0700), 0);
  assert_int_equal(mkdir("folder/ranks", 0700), 0);
  for (int i = 0; i < 300; i++) { /* more than one buffer of names */
    char name[64];
    snprintf(name, sizeof name, "folder/ranks/a-rank-with-a-long-name-%d", i);
    make_file(name);
  }
}

static void signals_remove_registered_files(void **state)
{
  (void)state;
  static const int NUMBERS[] = {SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGPIPE, SIGALRM, SIGXCPU};
  for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++) {
    make_tree();
    const int status = end_by(NUMBERS[i]);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), NUMBERS[i]);
    assert_int_equal(access("file", F_OK), -1);
    assert_int_equal(access("folder", F_OK), -1);
    assert_int_equal(access("kept", F_OK), 0);
  }
}

static void ignored_signals_stay_ignored(void **state)
{
  (void)state;
  make_tree();
  void (*const before)(int) = signal(SIGHUP, SIG_IGN);
  const int status = end_by(SIGHUP);
  signal(SIGHUP, before);
  assert_true(WIFEXITED(status));
  assert_int_equal(access("file", F_OK), 0);
}

static void links_are_removed_not_followed(void **state)
{
  (void)state;
  assert_int_equal(mkdir("other", 0700), 0);
  make_file("other/a");
  assert_int_equal(mkdir("folder", 0700), 0);
  assert_int_equal(symlink("../other", "folder/link"), 0);
  cleanup_remove("folder");
  assert_int_equal(access("folder", F_OK), -1);
  assert_int_equal(access("other/a", F_OK), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(signals_remove_registered_files),
      IN_FOLDER(ignored_signals_stay_ignored),
      IN_FOLDER(links_are_removed_not_followed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

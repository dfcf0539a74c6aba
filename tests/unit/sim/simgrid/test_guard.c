#include "sim/simgrid/guard.h"

#include <glob.h>
#include <signal.h>
#include <sys/wait.h>

#include "common/files/temp.h"
#include "tests/unit/scratch.h"

static void report_and_exit(int number)
{
  (void)number;
  exit(1);
}

/* Replaces the handler of SIGINT, as simgrid_init() does, and meets the signal at once. */
static void interrupted_init(int *argc, char **argv)
{
  (void)argc;
  (void)argv;
  signal(SIGINT, report_and_exit);
  raise(SIGINT);
}

static int interrupted(void)
{
  const struct simgrid_api sg = {.simgrid_init = interrupted_init};
  struct temp t;
  struct err e;
  int fd, argc = 0;
  if (simgrid_guard_begin("p.xml", &e) != OK || temp_file(&t, "out", &fd, &e) != OK)
    return 2;
  simgrid_guard_init(&sg, &argc, NULL);
  return 3;
}

static void an_interrupt_during_init_removes_temporary_files(void **state)
{
  (void)state;
  glob_t found;
  int end;
  const pid_t pid = fork();
  if (pid == 0)
    _exit(interrupted());
  assert_int_equal(waitpid(pid, &end, 0), pid);
  assert_true(WIFSIGNALED(end));
  assert_int_equal(WTERMSIG(end), SIGINT);
  assert_int_equal(glob("out.*", 0, NULL, &found), GLOB_NOMATCH);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(an_interrupt_during_init_removes_temporary_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "common/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "tests/unit/scratch.h"

static int speak(void *arg)
{
  fputs("\n  \nfirst words\nthen more\n\n", stdout);
  fflush(stdout);
  fputs(arg, stderr);
  return 7;
}

static int crash(void *arg)
{
  (void)arg;
  signal(SIGABRT, SIG_DFL);
  abort();
}

static int sleep_long(void *arg)
{
  (void)arg;
  for (int i = 0; i < 100; i++)
    nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
  return 0;
}

static int write_much(void *arg)
{
  (void)arg;
  for (int i = 0; i < 100000; i++)
    puts("a line that a pipe without a reader would not take");
  puts("the end");
  return 0;
}

/* Counts the open descriptors from 3 to 63. */
static int count_open(void *arg)
{
  (void)arg;
  int open = 0;
  for (int fd = 3; fd < 64; fd++)
    open += fcntl(fd, F_GETFD) >= 0;
  return open;
}

#ifndef HAICHI_SANITIZED
static int take_memory(void *arg)
{
  (void)arg;
  volatile char *p = malloc((size_t)1 << 30);
  if (p == NULL)
    return 3;
  p[0] = 1; /* keeps the compiler from removing the allocation */
  return p[0] - 1;
}
#endif

static struct child_spec spec_of(int (*run)(void *arg), void *arg)
{
  return (struct child_spec){
      .run = run, .arg = arg, .input = -1, .keep = -1, .parent_signal = SIGKILL};
}

static struct child_end run(const struct child_spec *s, struct child *c, double seconds,
                            bool *timeout)
{
  struct child_end end;
  struct err e;
  assert_int_equal(child_start(c, s, &e), OK);
  assert_int_equal(child_wait(c, seconds, &end, timeout, &e), OK);
  return end;
}

static void output_and_exit_codes_are_returned(void **state)
{
  (void)state;
  static char last[] = "last words";
  struct child c;
  bool timeout;
  struct child_spec s = spec_of(speak, last);
  struct child_end end = run(&s, &c, 60, &timeout);
  assert_false(timeout);
  assert_int_equal(end.code, 7);
  assert_int_equal(end.signal, 0);
  assert_string_equal(c.first, "first words");
  assert_string_equal(c.last, "last words");
  s.own_output = true;
  end = run(&s, &c, 60, &timeout);
  assert_string_equal(c.first, "last words");
  s = spec_of(crash, NULL);
  end = run(&s, &c, 60, &timeout);
  assert_int_equal(end.signal, SIGABRT);
}

static void long_output_does_not_block_the_child(void **state)
{
  (void)state;
  struct child c;
  bool timeout;
  const struct child_spec s = spec_of(write_much, NULL);
  assert_int_equal(run(&s, &c, 60, &timeout).code, 0);
  assert_string_equal(c.last, "the end");
}

static void a_time_limit_ends_a_child(void **state)
{
  (void)state;
  struct child c;
  bool timeout;
  const struct child_spec s = spec_of(sleep_long, NULL);
  const struct child_end end = run(&s, &c, 0.2, &timeout);
  assert_true(timeout);
  assert_int_equal(end.signal, SIGKILL);
}

static int close_streams_and_sleep(void *arg)
{
  (void)arg;
  close(STDOUT_FILENO);
  close(STDERR_FILENO);
  sleep(60);
  return 0;
}

static void a_time_limit_ends_a_child_without_streams(void **state)
{
  (void)state;
  struct child c;
  bool timeout;
  const struct child_spec s = spec_of(close_streams_and_sleep, NULL);
  const struct child_end end = run(&s, &c, 0.2, &timeout);
  assert_true(timeout);
  assert_int_equal(end.signal, SIGKILL);
}

static void a_child_inherits_no_descriptors(void **state)
{
  (void)state;
  struct child c;
  bool timeout;
  const int mine = open("/dev/null", O_RDONLY), keep = open("/dev/null", O_RDONLY);
  assert_true(mine >= 3 && keep > mine);
  struct child_spec s = spec_of(count_open, NULL);
  assert_int_equal(run(&s, &c, 60, &timeout).code, 0);
  s.keep = keep;
  assert_int_equal(run(&s, &c, 60, &timeout).code, 1);
  close(mine);
  close(keep);
}

static void memory_is_limited(void **state)
{
  (void)state;
#ifndef HAICHI_SANITIZED
  struct child c;
  bool timeout;
  struct child_spec s = spec_of(take_memory, NULL);
  assert_int_equal(run(&s, &c, 60, &timeout).code, 0);
  s.memory = 512 << 20;
  assert_int_equal(run(&s, &c, 60, &timeout).code, 3);
#endif
}

static bool is_gone(pid_t pid)
{
  for (int i = 0; i < 200; i++) {
    if (kill(pid, 0) != 0 && errno == ESRCH)
      return true;
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  }
  return false;
}

/* An intermediate process starts the child, reports its process id, and is killed. */
static void a_child_ends_with_its_parent(void **state)
{
  (void)state;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  const pid_t between = fork();
  if (between == 0) {
    struct child c;
    struct err e;
    const struct child_spec s = spec_of(sleep_long, NULL);
    if (child_start(&c, &s, &e) != OK || write(ends[1], &c.pid, sizeof c.pid) != sizeof c.pid)
      _exit(1);
    sleep_long(NULL);
  }
  pid_t child;
  assert_int_equal(read(ends[0], &child, sizeof child), sizeof child);
  assert_int_equal(kill(child, 0), 0);
  kill(between, SIGKILL);
  assert_int_equal(waitpid(between, NULL, 0), between);
  assert_true(is_gone(child));
  close(ends[0]);
  close(ends[1]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(output_and_exit_codes_are_returned),
      cmocka_unit_test(long_output_does_not_block_the_child),
      cmocka_unit_test(a_time_limit_ends_a_child),
      cmocka_unit_test(a_time_limit_ends_a_child_without_streams),
      cmocka_unit_test(a_child_inherits_no_descriptors),
      cmocka_unit_test(memory_is_limited),
      cmocka_unit_test(a_child_ends_with_its_parent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "common/process/workers.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

static int leave(void *arg)
{
  return *(int *)arg;
}

static int speak(void *arg)
{
  fputs(arg, stderr);
  puts("on standard output, which goes nowhere");
  return 0;
}

static int die(void *arg)
{
  (void)arg;
  return raise(SIGKILL);
}

static int sleep_long(void *arg)
{
  (void)arg;
  sleep(100);
  return 0;
}

static struct workers *start_one(worker_fn *fn, void *arg, double timeout_s)
{
  struct workers *w;
  struct err e;
  bool started;
  assert_int_equal(workers_new(&w, 1, timeout_s, &e), OK);
  assert_int_equal(workers_start(w, 7, fn, arg, &started, &e), OK);
  assert_true(started);
  assert_true(workers_full(w));
  return w;
}

static struct worker_end end_of(struct workers *w)
{
  struct worker_end end;
  struct err e;
  bool ended = false;
  while (!ended)
    assert_int_equal(workers_wait(w, 10, &end, &ended, &e), OK);
  assert_int_equal(end.id, 7);
  assert_int_equal(workers_running(w), 0);
  workers_free(w);
  return end;
}

static void ends_are_distinguished(void **state)
{
  (void)state;
  int code = 3;
  struct worker_end end = end_of(start_one(leave, &code, 0));
  assert_int_equal(end.code, 3);
  assert_int_equal(end.signal, 0);
  assert_string_equal(end.message, "");
  end = end_of(start_one(die, NULL, 60));
  assert_int_equal(end.signal, SIGKILL);
  assert_false(end.timeout);
  end = end_of(start_one(sleep_long, NULL, 0.05));
  assert_true(end.timeout);
  assert_true(end.wall_s >= 0.05);
}

static void the_first_line_of_errors_is_kept(void **state)
{
  (void)state;
  char two[] = "first\nsecond\n";
  assert_string_equal(end_of(start_one(speak, two, 0)).message, "first");
  char *much = malloc(100001);
  assert_non_null(much);
  memset(much, 'x', 100000);
  much[100000] = '\0';
  const struct worker_end end = end_of(start_one(speak, much, 0));
  assert_int_equal(strlen(end.message), sizeof end.message - 1);
  free(much);
}

static void several_run_at_a_time(void **state)
{
  (void)state;
  struct workers *w;
  struct worker_end end;
  struct err e;
  bool ended, started, seen[5] = {false};
  int code[5] = {0, 1, 2, 3, 4};
  assert_int_equal(workers_new(&w, 5, 0, &e), OK);
  for (size_t i = 0; i < 5; i++) {
    assert_false(workers_full(w));
    assert_int_equal(workers_start(w, i, leave, &code[i], &started, &e), OK);
    assert_true(started);
  }
  while (workers_running(w) > 0) {
    assert_int_equal(workers_wait(w, 10, &end, &ended, &e), OK);
    if (!ended)
      continue;
    assert_int_equal(end.code, code[end.id]);
    assert_false(seen[end.id]);
    seen[end.id] = true;
  }
  for (size_t i = 0; i < 5; i++)
    assert_true(seen[i]);
  workers_free(w);
}

/* The limit of open files limits the number of workers.  If no file is left for the next worker,
 * the limit becomes the number of running ones. */
static void the_limit_of_open_files_limits_the_workers(void **state)
{
  (void)state;
  struct rlimit before;
  struct workers *w;
  struct err e;
  bool started;
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
  struct rlimit few = {40, before.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
  assert_int_equal(workers_new(&w, 64, 0, &e), OK);
  const uint32_t most = workers_most(w);
  assert_true(most > 4 && most < 30);
  assert_int_equal(workers_start(w, 0, sleep_long, NULL, &started, &e), OK);
  assert_true(started);
  few.rlim_cur = 4;
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
  assert_int_equal(workers_start(w, 1, sleep_long, NULL, &started, &e), OK);
  assert_false(started);
  assert_int_equal(workers_most(w), 1);
  assert_true(workers_full(w));
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
  workers_free(w);
}

static void freeing_ends_running_workers(void **state)
{
  (void)state;
  workers_free(start_one(sleep_long, NULL, 0)); /* stops a sleep of 100 s */
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ends_are_distinguished),
      cmocka_unit_test(the_first_line_of_errors_is_kept),
      cmocka_unit_test(several_run_at_a_time),
      cmocka_unit_test(the_limit_of_open_files_limits_the_workers),
      cmocka_unit_test(freeing_ends_running_workers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

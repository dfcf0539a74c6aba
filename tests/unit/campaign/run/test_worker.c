#include "campaign/run/worker.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/scratch.h"

/* Makes a plan of one run, which is stored in the current folder. */
static struct run_worker one_run(struct plan *p)
{
  static const char *const NETWORK[] = {"random:tasks=9"}, *const SCHEDULER[] = {"heft"},
                           *const PLATFORM[] = {"torus:4"};
  static const struct settings SETTINGS;
  const struct plan_args a = {.kind = &kind_networks,
                              .machine = {{.word = (char **)(uintptr_t)PLATFORM, .count = 1}},
                              .subject = {.word = (char **)(uintptr_t)NETWORK, .count = 1},
                              .method = {.word = (char **)(uintptr_t)SCHEDULER, .count = 1},
                              .repeats = 1,
                              .settings = settings_defaults(),
                              .tasknets = tasknets_defaults()};
  struct err e;
  assert_int_equal(plan_make(p, &a, &e), OK);
  return (struct run_worker){
      .plan = p, .run = &p->run[0], .settings = &SETTINGS, .options = p->options, .folder = "."};
}

static bool is_stored(const struct run_worker *w, struct run_result *r)
{
  struct err e;
  bool found;
  assert_int_equal(run_worker_load(w, r, &found, &e), OK);
  return found;
}

/* A failure that the environment may have caused is returned but not stored. */
static void a_process_without_a_result_gives_a_failed_run(void **state)
{
  (void)state;
  static const struct worker_end CRASHED = {.signal = SIGSEGV},
                                 FAILED = {.code = 1, .message = "no"},
                                 KILLED = {.signal = SIGKILL},
                                 LACKING = {.code = 75, .message = "haichi: m: cannot run: why"},
                                 LATE = {.signal = SIGKILL, .timeout = true};
  static const struct {
    const struct worker_end *end;
    const char *reason;
    bool stored;
  } ENDS[] = {{&CRASHED, "killed by signal 11 (Segmentation fault)", true},
              {&KILLED, "killed by signal 9 (Killed)", false},
              {&FAILED, "the process ended with code 1 and no result: no", false},
              {&LACKING, "m: cannot run: why", false},
              {&LATE, "no result within 2 s", true}};
  struct plan p;
  struct err e;
  const struct run_worker w = one_run(&p);
  for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
    struct run_result r, stored;
    assert_false(run_worker_stored(ENDS[i].end));
    assert_int_equal(run_worker_end(&w, ENDS[i].end, 2, &r, &e), OK);
    assert_int_equal(r.status, ENDS[i].end->timeout ? RUN_TIMEOUT : RUN_FAILED);
    assert_string_equal(r.reason, ENDS[i].reason);
    assert_int_equal(is_stored(&w, &stored), ENDS[i].stored);
    if (ENDS[i].stored)
      assert_string_equal(stored.reason, ENDS[i].reason);
    assert_int_equal(run_worker_forget(&w, &e), OK);
  }
  plan_clear(&p);
}

/* Another process with the same run has removed the file: this run did not fail. */
static void a_removed_result_is_not_a_failed_run(void **state)
{
  (void)state;
  static const struct worker_end WELL = {.code = 0};
  struct plan p;
  struct run_result r;
  struct err e;
  const struct run_worker w = one_run(&p);
  assert_true(run_worker_stored(&WELL));
  assert_int_equal(run_worker_end(&w, &WELL, 0, &r, &e), FAIL);
  assert_non_null(strstr(e.text, ".tsv: removed by another process before it was read"));
  assert_false(is_stored(&w, &r));
  assert_int_equal(run_worker_main((void *)(uintptr_t)&w), 0);
  assert_int_equal(run_worker_end(&w, &WELL, 0, &r, &e), OK);
  assert_int_equal(r.status, RUN_OK);
  plan_clear(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_process_without_a_result_gives_a_failed_run, scratch_enter,
                                      scratch_leave),
      cmocka_unit_test_setup_teardown(a_removed_result_is_not_a_failed_run, scratch_enter,
                                      scratch_leave)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

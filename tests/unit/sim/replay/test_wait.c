#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "tests/unit/sim/fake.h"

/* A merged trace and the error of its run; NULL: no error. */
struct row {
  const char *text, *error;
};

static void check_row(const struct row *row, bool nested, uint64_t eager)
{
  struct fake f = {.nested = nested};
  fake_run(&f, row->text, &(struct replay_options){.compute_scale = 1, .eager_threshold = eager});
  if (f.hung)
    fail_msg("%s: hangs", row->text);
  if ((f.status == OK) != (row->error == NULL))
    fail_msg("%s: %s", row->text, f.status == OK ? "succeeds" : f.err.text);
  if (row->error != NULL && strstr(f.err.text, row->error) == NULL)
    fail_msg("%s: %s", row->text, f.err.text);
}

static void check_rows(const struct row *row, size_t rows, uint64_t eager)
{
  for (size_t i = 0; i < rows; i++) {
    check_row(&row[i], false, eager);
    check_row(&row[i], true, eager);
  }
}

#define OF_2 " of 2 ranks are blocked"
#define OF_3 " of 3 ranks are blocked"

static const struct row DEADLOCKS[] = {
    {"0 recv 1 0 8\n1 recv 0 0 8\n", "deadlock at 0 s: 2" OF_2},
    {"0 send 1 0 65536\n0 recv 1 0 65536\n1 send 0 0 65536\n1 recv 0 0 65536\n", "2" OF_2},
    {"0 Ssend 1 0 8\n0 recv 1 0 8\n1 Ssend 0 0 8\n1 recv 0 0 8\n", "2" OF_2},
    {"0 send 0 0 65536\n0 recv 0 0 65536\n", "1 of 1"},
    {"0 recv 1 5 8\n1 send 0 6 90000\n", "deadlock at 0 s: 2" OF_2},
    {"0 recv 1 0 8\n1 recv 2 0 8\n2 recv 0 0 8\n", "3" OF_3},
    /* The deadlock is found when the last rank blocks later, */
    {"0 recv 1 0 8\n1 compute 5\n1 recv 0 0 8\n", "deadlock at 5 s: 2" OF_2},
    {"0 recv 1 0 8\n1 sleep 5\n1 recv 0 0 8\n", "deadlock at 5 s: 2" OF_2},
    /* or when it ends, */
    {"0 recv 1 0 8\n1 compute 5\n", "deadlock at 5 s: 1" OF_2},
    {"0 recv 1 0 8\n1 compute 5\n2 recv 0 0 8\n", "deadlock at 5 s: 2" OF_3},
    /* even if part of the awaited messages arrives, */
    {"0 irecv 1 0 8\n0 irecv 1 1 8\n0 waitall\n1 compute 1\n1 send 0 0 8\n", "1" OF_2},
    {"0 irecv 1 0 8\n0 irecv 1 1 8\n1 send 0 0 8\n1 compute 1\n", "deadlock at 1 s: 1" OF_2},
    {"0 irecv 1 0 8\n0 irecv 1 1 8\n0 waitAny\n0 waitAny\n1 send 0 0 8\n1 compute 1\n", "1" OF_2},
    {"0 irecv 1 0 8\n0 waitAny\n1 irecv 0 0 8\n1 waitAny\n", "deadlock at 0 s: 2" OF_2},
    {"0 irecv 1 0 8\n0 irecv 1 1 8\n0 waitAny\n1 compute 1\n", "deadlock at 1 s: 1" OF_2},
    /* or when a probe finds no message. */
    {"0 recv 1 0 -1\n1 recv 0 0 8\n", "deadlock at 0.0001 s: 2" OF_2},
    {"0 recv 1 0 -1\n1 recv 0 0 -1\n", "2" OF_2},
    {"0 recv 1 0 -1\n1 compute 5\n", "deadlock at 5 s: 1" OF_2},
    {"0 recv 1 0 -1\n1 compute 5\n1 send 0 9 90000\n", "deadlock at 5 s: 2" OF_2},
    {"0 recv 1 0 -1\n2 compute 5\n2 send 0 0 90000\n1 compute 1\n", "deadlock at 5 s: 2" OF_3},
    {"0 recv 1 0 -1\n0 recv 1 0 8\n1 compute 5\n1 send 0 0 8\n", "1" OF_2},
    /* A probe does not see a message that matches an older receive. */
    {"0 irecv 1 0 8\n0 recv 1 0 -1\n1 compute 5\n1 send 0 0 8\n1 recv 0 0 8\n",
     "deadlock at 5 s: 2" OF_2},
    {"0 barrier\n1 recv 0 5 8\n1 barrier\n", "deadlock at 0 s: 2" OF_2},
    /* Requests that a waitAny did not complete do not help the next wait. */
    {"0 irecv 1 0 8\n0 irecv 2 0 8\n0 waitAny\n0 recv 1 9 8\n1 send 0 0 8\n2 compute 5\n"
     "2 send 0 0 8\n",
     "deadlock at 5 s: 1" OF_3},
    {"0 irecv 1 0 8\n0 irecv 2 0 8\n0 waitAny\n0 recv 2 9 8\n2 send 0 0 8\n1 compute 5\n"
     "1 send 0 0 8\n",
     "deadlock at 5 s: 1" OF_3},
    {"0 irecv 1 0 8\n0 isend 1 1 8\n0 waitAny\n0 recv 1 9 8\n1 recv 0 1 8\n1 send 0 0 8\n",
     "1" OF_2},
    {"0 irecv 1 2 8\n0 isend 1 1 8\n0 waitAny\n0 recv 1 9 8\n1 recv 0 1 8\n1 send 0 2 8\n",
     "1" OF_2},
};

static const struct row NO_DEADLOCKS[] = {
    {"0 recv 1 0 8\n1 compute 5\n1 send 0 0 8\n", NULL},
    {"0 recv 1 0 8\n1 sleep 5\n1 send 0 0 8\n", NULL},
    {"0 recv 1 0 8\n2 compute 5\n1 recv 2 0 8\n1 send 0 0 8\n2 send 1 0 8\n", NULL},
    /* No deadlock: matched messages in transit, whichever side came first; */
    {"0 send 1 0 90000\n0 send 1 1 8\n1 recv 0 0 90000\n1 recv 0 1 8\n", NULL},
    {"0 compute 1\n0 send 1 0 90000\n0 send 1 1 8\n1 recv 0 0 90000\n1 recv 0 1 8\n", NULL},
    {"0 irecv 1 0 9\n0 irecv 1 1 9\n0 waitall\n1 isend 0 0 9\n1 compute 1\n1 isend 0 1 9\n", NULL},
    {"0 irecv 1 0 9\n0 irecv 2 0 9\n0 waitAny\n1 Ssend 0 0 9\n2 recv 1 0 9\n2 send 0 0 9\n"
     "1 send 2 0 9\n",
     NULL},
    {"0 send 1 0 8\n0 recv 1 0 8\n1 recv 0 0 8\n1 send 0 0 8\n", NULL},
    /* a probe that has found its message but has not returned; */
    {"0 compute 5\n0 send 1 0 8\n0 recv 1 0 8\n1 recv 0 0 -1\n1 send 0 0 8\n", NULL},
    {"0 compute 5\n0 send 1 7 8\n0 recv 1 0 8\n1 recv -333 -444 -1\n1 send 0 0 8\n", NULL},
    {"0 compute 5\n0 send 1 0 90000\n0 recv 1 0 8\n1 recv 0 0 -1\n1 send 0 0 8\n", NULL},
    /* a test in progress, or a first probe. */
    {"0 irecv 1 0 8\n0 test 1 0 0\n0 send 1 0 8\n1 recv 0 0 8\n1 send 0 0 8\n", NULL},
    {"0 recv 1 0 8\n1 send 0 0 8\n1 recv 0 0 -1\n0 send 1 0 8\n", NULL},
};

static const struct row EAGER[] = {
    {"0 send 1 0 8\n0 recv 1 0 8\n1 recv 0 0 8\n1 send 0 0 8\n", NULL},
    {"0 compute 1\n0 send 1 0 8\n0 recv 1 0 8\n1 recv 0 0 8\n1 send 0 0 8\n", NULL},
    {"0 recv 1 0 8\n1 send 0 1 8\n", "deadlock at 0 s: 1" OF_2},
    {"0 send 1 0 90000\n0 recv 1 0 90000\n1 send 0 0 90000\n1 recv 0 0 90000\n", NULL},
    {"0 isend 1 0 90000\n0 irecv 1 5 8\n0 waitall\n1 compute 3\n1 recv 0 0 90000\n",
     "deadlock at 3 s: 1" OF_2},
};

static void deadlocks_are_found(void **state)
{
  (void)state;
  check_rows(DEADLOCKS, COUNT(DEADLOCKS), 0);
}

static void progress_is_no_deadlock(void **state)
{
  (void)state;
  check_rows(NO_DEADLOCKS, COUNT(NO_DEADLOCKS), 0);
}

static void eager_messages_need_no_receive(void **state)
{
  (void)state;
  check_rows(EAGER, COUNT(EAGER), 100000);
}

static void wrong_traces_are_refused(void **state)
{
  (void)state;
  static const struct row ROW[] = {
      {"0 compute 1\n0 send 1 5 8\n1 compute 9\n",
       ":2: rank 1 never receives this message of 8 bytes (tag 5) from rank 0"},
      {"0 isend 1 5 8\n0 isend 1 6 9\n0 waitall\n1 recv 0 5 8\n",
       ":2: rank 1 never receives this message of 9 bytes (tag 6) from rank 0"},
      {"0 bsend 0 5 90000\n", ":1: rank 0 never receives"},
      {"0 send 1 0 8\n1 recv 0 0 8\n", NULL},
      {"0 send 1 0 8\n1 recv 0 0 9\n", NULL},
      {"0 send 1 0 9\n1 recv 0 0 -1\n", NULL},
      {"0 compute 1\n0 send 1 0 9\n1 recv 0 0 8\n", ":3: a message of 9 bytes from rank 0 ("},
      {"0 send 1 0 9\n1 compute 1\n1 recv 0 0 8\n",
       ":1) does not fit in the 8 bytes of this receive"},
      {"0 send 1 0 9\n1 compute 1\n1 irecv 0 0 8\n", ":3: a message of 9 bytes"},
      {"0 recv 1 0 8\n1 compute 3\n1 jump 1\n2 recv 0 0 8\n", ":3: action 'jump' is not supported"},
      {"0 irecv 1 0 8\n0 wait 1 0 3\n1 recv 0 0 8\n", ":2: wait for a request that was never"},
      {"0 barrier\n1 compute 1\n1 bcast 8\n", ":3: rank 1 calls bcast where rank 0 calls barrier"},
      {"0 bcast 8\n1 compute 1\n", ":1: rank 0 calls bcast, but rank 1 never does"},
  };
  check_rows(ROW, COUNT(ROW), 0);
}

/* 31 messages of 2^58 bytes, 31 of 2^53 bytes, and a last one, with which the sum is 2^63 - 1 or
 * 2^63. */
static void the_sum_of_the_bytes_has_a_limit(void **state)
{
  (void)state;
  char text[4096];
  for (int over = 0; over < 2; over++) {
    struct fake f = {.nested = false};
    FILE *to = fmemopen(text, sizeof text, "w");
    for (int i = 0; i < 31; i++)
      fputs("0 bsend 1 0 9007199254740992 27\n0 bsend 1 0 9007199254740992 6\n", to);
    fprintf(to, "0 bsend 1 0 %llu\n", (1ull << 53) - 1 + (unsigned)over);
    for (int i = 0; i < 63; i++)
      fputs("1 recv 0 0 -1\n", to);
    fclose(to);
    fake_run(&f, text, &(struct replay_options){.compute_scale = 1});
    assert_int_equal(f.status, over ? FAIL : OK);
    if (over)
      assert_non_null(
          strstr(f.err.text, ":63: with these 9007199254740992 bytes the run sends 2^63 or more"));
    else
      assert_true(f.result[0].bytes == INT64_MAX);
  }
}

static void an_incomplete_run_is_a_failure(void **state)
{
  (void)state;
  struct fake f = {.stopped = true};
  fake_run(&f, "0 compute 1\n1 compute 1\n", &(struct replay_options){.compute_scale = 1});
  assert_int_equal(f.status, FAIL);
  assert_string_equal(f.err.text, "the engine stopped while 2 of 2 ranks had not ended");
}

static void a_failure_stops_every_rank(void **state)
{
  (void)state;
  struct fake f = {.nested = false};
  fake_run(&f, "0 compute 9\n0 compute 9\n1 compute 3\n1 jump\n",
           &(struct replay_options){.compute_scale = 1});
  assert_int_equal(f.status, FAIL);
  assert_true(f.stopped);
  assert_true(fabs(f.now - 3) < 1e-9);
  assert_true(f.result[0].end_s == 0);
  assert_string_equal(f.blocked, "");
  struct fake g = {.nested = true};
  fake_run(&g, "0 isend 1 0 9\n0 compute 9\n1 recv 0 0 8\n",
           &(struct replay_options){.compute_scale = 1});
  assert_int_equal(g.status, FAIL);
  assert_true(g.now == 0);
}

/* Compares the list of blocked ranks, without the file name. */
static void assert_blocked(const char *text, const char *listed)
{
  struct fake f = {.nested = false};
  fake_run(&f, text, &(struct replay_options){.compute_scale = 1});
  for (char *file; (file = strstr(f.blocked, "/proc/")) != NULL;) {
    const char *line = strchr(file, ':');
    assert_non_null(line);
    memmove(file, line, strlen(line) + 1);
  }
  assert_string_equal(f.blocked, listed);
}

static void blocked_ranks_are_listed(void **state)
{
  (void)state;
  assert_blocked("0 recv 1 0 8\n1 compute 1\n1 Ssend 0 5 8\n",
                 "  rank 0 is blocked in recv (:1)\n  rank 1 is blocked in send (:3)\n");
  assert_blocked("0 compute 1\n1 irecv 0 0 8\n1 compute 1\n",
                 "  rank 1 is blocked in end of trace (:3)\n");
  assert_blocked("0 recv 1 0 8\n1 recv 0 0 8\n2 irecv 0 0 8\n2 wait 0 2 0\n3 recv 0 0 8\n",
                 "  rank 0 is blocked in recv (:1)\n  rank 1 is blocked in recv (:2)\n"
                 "  and 2 more\n");
}

/* A rank yields where a rank of SMPI calls SimGrid's kernel and resumes at once.  If the hooks
 * of the engine run other ranks, a rank yields only for a probe, which calls no hook. */
static void ranks_yield_as_in_smpi(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    double end; /* of rank 0, without yields */
    int turns, nested;
  } row[] = {
      {"0 compute 1\n0 sleep 1\n1 compute 1\n", 2, 0, 0},
      {"0 send 1 0 8\n0 isend 1 0 8\n0 wait 0 1 0\n1 recv 0 0 8\n1 recv 0 0 8\n", 0, 2, 0},
      {"0 send 1 0 65536\n1 recv 0 0 65536\n", T(65536), 0, 0},
      {"0 irecv 1 0 8\n0 wait 1 0 0\n1 send 0 0 8\n", T(8), 0, 0},
      {"0 irecv 1 0 8\n0 test 1 0 0\n0 wait 1 0 0\n1 sleep 1\n1 send 0 0 8\n", 1 + T(8), 0, 0},
      {"0 irecv 1 0 8\n0 compute 2\n0 test 1 0 0\n1 send 0 0 8\n", 2.0001, 2, 0},
      {"0 isend 1 0 8\n0 test 0 1 0\n1 recv 0 0 8\n", 0.0001, 1, 0},
      {"0 recv 1 0 -1\n1 send 0 0 8\n", 0.0001 + T(8), 1, 1},
  };
  for (size_t i = 0; i < 2 * sizeof row / sizeof *row; i++) {
    struct fake f = {.nested = i % 2 != 0, .yields = i % 2 == 0};
    fake_run(&f, row[i / 2].text, &(struct replay_options){.compute_scale = 1});
    const int turns = f.nested ? row[i / 2].nested : row[i / 2].turns;
    assert_int_equal(f.status, OK);
    assert_true(fabs(f.result[0].end_s - row[i / 2].end - turns * FAKE_TURN) < FAKE_TURN / 4);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(deadlocks_are_found),
      cmocka_unit_test(progress_is_no_deadlock),
      cmocka_unit_test(eager_messages_need_no_receive),
      cmocka_unit_test(wrong_traces_are_refused),
      cmocka_unit_test(the_sum_of_the_bytes_has_a_limit),
      cmocka_unit_test(an_incomplete_run_is_a_failure),
      cmocka_unit_test(a_failure_stops_every_rank),
      cmocka_unit_test(blocked_ranks_are_listed),
      cmocka_unit_test(ranks_yield_as_in_smpi),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "tests/unit/scratch.h"
#include "traces/files/spool.h"
#include "traces/survey.h"
#include "traces/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Iterations of two ranks: rank 0 computes and sends, rank 1 receives and computes. */
#define MARKED(N) "# haichi: iteration " N "\n"
#define STEP0     "0 compute 5\n0 send 1 0 8 0\n"
#define STEP1     "1 recv 0 0 8 0\n1 compute 7\n"

static const struct {
  const char *rank[2];
  struct survey want;
  const char *why;
} CASES[] = {
    {{"0 init\n" MARKED("1") STEP0 MARKED("2") STEP0 MARKED("3") STEP0 MARKED("end") "0 finalize\n",
      "1 init\n" MARKED("1") STEP1 MARKED("2") STEP1 MARKED("3")
          STEP1 MARKED("end") "1 finalize\n"},
     {3, 1, false, false, true},
     NULL},
    /* The last iteration also has a barrier. */
    {{"0 init\n" MARKED("1") STEP0 MARKED("2") STEP0 MARKED("3") STEP0
      "0 barrier\n" MARKED("end") "0 finalize\n",
      "1 init\n" MARKED("1") STEP1 MARKED("2") STEP1 MARKED("3") STEP1
      "1 barrier\n" MARKED("end") "1 finalize\n"},
     {3, 1, true, false, true},
     NULL},
    /* Every second iteration has a barrier. */
    {{"0 init\n" MARKED("1") STEP0 MARKED("2") STEP0 "0 barrier\n" MARKED("3") STEP0 MARKED("4")
          STEP0 "0 barrier\n" MARKED("5") STEP0 MARKED("end") "0 finalize\n",
      "1 init\n" MARKED("1") STEP1 MARKED("2") STEP1 "1 barrier\n" MARKED("3") STEP1 MARKED("4")
          STEP1 "1 barrier\n" MARKED("5") STEP1 MARKED("end") "1 finalize\n"},
     {5, 2, false, false, true},
     NULL},
    /* No marks; rank 0 has an extra computation. */
    {{"0 init\n0 barrier\n" STEP0 STEP0 "0 compute 1\n" STEP0 STEP0 "0 finalize\n",
      "1 init\n1 barrier\n" STEP1 STEP1 STEP1 STEP1 "1 finalize\n"},
     {4, 1, false, false, false},
     NULL},
    {{"0 init\n" MARKED("1") STEP0 MARKED("3"), "1 init\n" STEP1},
     {0},
     "one.0:5: iteration 3 begins where iteration 2 is expected"},
    {{"0 init\n" MARKED("1") STEP0 MARKED("end") MARKED("end"), "1 init\n" STEP1},
     {0},
     "one.0:6: a mark follows the mark of the end of the iterations"},
    {{"0 init\n" MARKED("1") STEP0 "0 finalize\n", "1 init\n" STEP1},
     {0},
     "one.0:5: the mark of the end of the iterations is missing"},
    {{"0 init\n" MARKED("1") STEP0 MARKED("2") STEP0 MARKED("end"), "1 init\n" STEP1 STEP1},
     {0},
     "index: rank 1 has 0 iterations and rank 0 has 2"},
    {{"0 init\n" STEP0 STEP0 "0 finalize\n", "1 init\n" MARKED("1") STEP1 STEP1 MARKED("end")},
     {0},
     "index: rank 1 has marks of iterations and rank 0 has none"},
    {{"0 init\n0 barrier\n0 finalize\n", "1 init\n1 barrier\n1 finalize\n"},
     {0},
     "index: no marks of iterations, and the actions of rank 0 do not repeat"},
    {{"0 init\n" STEP0 STEP0 STEP0 STEP0 STEP0 STEP0 STEP0 STEP0 STEP0 STEP0 "0 finalize\n",
      "1 init\n" STEP1 STEP1 STEP1 STEP1 STEP1 STEP1 STEP1 "1 barrier\n1 finalize\n"},
     {0},
     "index: no marks of iterations, and rank 0 repeats its actions 10 times, another rank 7 "
     "times"},
    {{"0 init\n" MARKED("1") STEP0 MARKED("end"), "1 init\n" MARKED("1") STEP1 MARKED("end")},
     {0},
     "index: a main loop of 2 iterations or more is needed, and this one has 1"},
};

static struct trace *open_ranks(const char *const *rank)
{
  struct trace *t;
  struct err e;
  scratch_write("index", "one.0\none.1\n");
  scratch_write("one.0", rank[0]);
  scratch_write("one.1", rank[1]);
  assert_int_equal(trace_open(&t, "index", SPOOL_LIMIT, &e), OK);
  return t;
}

static void loops_are_found_or_refused(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct trace *t = open_ranks(CASES[i].rank);
    const struct survey *want = &CASES[i].want;
    struct survey s = {0};
    struct err e = {{0}};
    const enum status status = survey_loop(t, &s, &e);
    if (CASES[i].why != NULL) {
      assert_int_equal(status, FAIL);
      assert_string_equal(e.text, CASES[i].why);
    } else if (status != OK) {
      fail_msg("case %zu: %s", i, e.text);
    } else if (s.iterations != want->iterations || s.period != want->period ||
               s.last_differs != want->last_differs || s.marked != want->marked) {
      fail_msg("case %zu: %d iterations, period %d, last differs %d, marked %d", i,
               (int)s.iterations, (int)s.period, s.last_differs, s.marked);
    }
    trace_free(t);
  }
}

/* Reads a rank, and at mark `at` skips to mark `to`. Writes the initials of actions, and marks. */
static void read_skipping(struct trace *t, uint32_t rank, int64_t at, uint64_t to, char *out)
{
  const struct action *a;
  struct err e = {{0}};
  FILE *f = fmemopen(out, 64, "w");
  assert_non_null(f);
  for (;;) {
    if (trace_next(t, rank, &a, &e) != OK)
      fail_msg("%s", e.text);
    if (a == NULL)
      break;
    if (a->kind == ACTION_MARK)
      fprintf(f, "%d", (int)a->count);
    else
      fputc(*action_name(a->kind), f);
    if (a->kind == ACTION_MARK && a->count == at && trace_skip(t, rank, to, &e) != OK)
      fail_msg("%s", e.text);
  }
  fclose(f);
}

static const struct {
  int64_t at;
  uint64_t to;
  const char *marked, *found; /* rank 0 of the first and the fourth case */
} SKIPS[] = {
    {-1, 0, "i1cs2cs3cs0f", "ibc1sc2scc3sc4s0f"},
    {1, 3, "i13cs0f", "ibc13sc4s0f"},
    {2, ACTION_MARK_END, "i1cs20f", "ibc1sc20f"},
    {1, 2, "i12cs3cs0f", "ibc12scc3sc4s0f"},
};

static void skipped_iterations_are_not_read(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(SKIPS); i++)
    for (int found = 0; found < 2; found++) {
      struct trace *t = open_ranks(CASES[found ? 3 : 0].rank);
      struct survey s;
      struct err e;
      char got[64] = "";
      assert_int_equal(survey_loop(t, &s, &e), OK);
      read_skipping(t, 0, SKIPS[i].at, SKIPS[i].to, got);
      assert_string_equal(got, found ? SKIPS[i].found : SKIPS[i].marked);
      trace_rewind(t);
      *got = '\0';
      read_skipping(t, 0, -1, 0, got);
      assert_string_equal(got, found ? SKIPS[0].found : SKIPS[0].marked);
      trace_free(t);
    }
}

/* The message names the line of the rank's last action. */
static void a_missing_iteration_is_refused(void **state)
{
  (void)state;
  for (int found = 0; found < 2; found++) {
    struct trace *t = open_ranks(CASES[found ? 3 : 0].rank);
    const struct action *a;
    struct survey s;
    struct err e;
    char where[64];
    assert_int_equal(survey_loop(t, &s, &e), OK);
    do
      assert_int_equal(trace_next(t, 0, &a, &e), OK);
    while (a->kind != ACTION_MARK);
    assert_int_equal(trace_skip(t, 0, 99, &e), FAIL);
    snprintf(where, sizeof where, "%s:%d: %s", trace_file(t, 0), (int)trace_line(t, 0),
             found ? "ends before iteration 99" : "no mark of iteration 99");
    assert_string_equal(e.text, where);
    trace_free(t);
  }
}

static void a_second_end_is_refused(void **state)
{
  (void)state;
  struct trace *t = open_ranks(CASES[0].rank);
  const struct action *a;
  struct err e;
  assert_int_equal(trace_skip(t, 1, ACTION_MARK_END, &e), OK);
  assert_int_equal(trace_next(t, 1, &a, &e), OK);
  assert_true(a->kind == ACTION_MARK && a->count == ACTION_MARK_END);
  assert_int_equal(trace_skip(t, 1, ACTION_MARK_END, &e), FAIL);
  assert_non_null(strstr(e.text, ": no mark of the end of the iterations"));
  trace_free(t);
}

static void generators_know_their_loop(void **state)
{
  (void)state;
  struct trace *t;
  struct survey s;
  struct err e;
  char got[64] = "";
  assert_int_equal(trace_open(&t, "ring:2:iterations=50,compute=1", SPOOL_LIMIT, &e), OK);
  assert_int_equal(survey_loop(t, &s, &e), OK);
  assert_int_equal(s.iterations, 50);
  assert_int_equal(s.period, 1);
  assert_false(s.last_differs);
  read_skipping(t, 1, 3, 50, got);
  assert_non_null(strstr(got, "350"));
  assert_null(strstr(got, "4"));
  trace_free(t);
  assert_int_equal(trace_open(&t, "npb:lu.S.4", SPOOL_LIMIT, &e), OK);
  assert_int_equal(survey_loop(t, &s, &e), OK);
  assert_true(s.last_differs);
  trace_free(t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(loops_are_found_or_refused),        IN_FOLDER(skipped_iterations_are_not_read),
      IN_FOLDER(a_missing_iteration_is_refused),    IN_FOLDER(a_second_end_is_refused),
      cmocka_unit_test(generators_know_their_loop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "traces/files/spool.h"
#include "traces/files/writer.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/scratch.h"
#include "traces/comm.h"
#include "traces/trace.h"

#define MARK "# haichi: has actions that smpirun -replay of SimGrid 3.32 lacks\n"

/* Actions of every kind as written: for rank 0 the actions that smpirun replays, for rank 1 the
 * others. */
static const char *const TEXT[2] = {
    "0 init\n"
    "0 compute 9.32766e+06\n"
    "0 compute 0.1\n"
    "0 compute 123456789012\n"
    "0 compute 0.30000000000000004\n"
    "0 sleep 0\n"
    "0 send 1 2 8 6\n"
    "0 isend 1 2 9007199254740992 0\n"
    "0 recv 1 2 -1 1\n"
    "0 irecv 1 2 8 59\n"
    "0 sendRecv 5 1 6 0 0 1\n"
    "0 wait 0 1 2\n"
    "0 test 1 0 2\n"
    "0 waitall\n"
    "0 waitall 12\n"
    "0 comm_size\n"
    "0 barrier\n"
    "0 bcast 7 1 23\n"
    "0 reduce 7 2.5 1 1\n"
    "0 allreduce 7 0 1\n"
    "0 alltoall 7 0 1 2\n"
    "0 alltoallv 3 1 2 4 3 1 1 2\n"
    "0 gather 7 0 1 1 2\n"
    "0 gatherv 7 1 2 1 1 2\n"
    "0 scatter 7 8 1 1 2\n"
    "0 scatterv 1 2 7 1 1 2\n"
    "0 allgather 7 8 1 2\n"
    "0 allgatherv 7 1 2 1 2\n"
    "0 reducescatter 1 2 2.5 1\n"
    "0 scan 7 1 1\n"
    "0 exscan 7 1 1\n"
    "# haichi: comm 1 1:-1:2\n"
    "# haichi: iteration 1\n"
    "# haichi: iteration end\n"
    "0 finalize\n",
    "1 bsend 0 0 1 1\n"
    "1 Ssend 0 0 1 1\n"
    "1 ibsend 0 0 1 1\n"
    "1 ISsend 0 0 1 1\n"
    "1 recv -333 0 1 1\n"
    "1 irecv 0 -444 1 1\n"
    "1 sendRecv 5 1 6 -333 0 1\n"
    "1 wait -333 1 -444\n"
    "1 waitAny 3\n"
    "# haichi: comm 1 1:-1:2\n"
    "# haichi: comm 9223372036854775807 1\n"
    "# haichi: on 1\n"
    "1 gatherv 7 1 2 1 1 2\n"
    "# haichi: on 9223372036854775807\n"
    "1 alltoallv 3 3 3 3 1 2\n"
    "1 ibarrier\n"
    "1 ibcast 7 1 23\n"
    "1 iallreduce 7 2.5 1\n"
    "1 igatherv 7 1 2 1 1 2\n"
    "1 ireducescatter 1 2 2.5 1\n"
    "1 wait 1 1 -779\n"
    "# haichi: on 1\n"
    "# haichi: request 3\n"
    "1 ialltoallv 3 1 2 7 3 4 1 2\n"
    "# haichi: request 3\n"
    "1 test 1 1 -1001\n"
    "1 alltoallw 1 2 3 4\n"
    "1 reduce_local 7 2.5 1\n"
    "# haichi: type -1 12\n"
    "1 send 0 0 1 -1\n"
    "# haichi: type -1 16\n"
    "# haichi: type 60 2147483647\n"
    "1 alltoall 1 2 60 -1\n"
    "# haichi: cart 1 2p 1\n"
    "# haichi: on 1\n"
    "1 neighbor_allgather 1 1 1 2\n"
    "# haichi: on 1\n"
    "1 neighbor_alltoallv 1 2 3 4 5 6 7 8 1 60\n"
    "# haichi: graph 9223372036854775807 from 0 0 -1 to\n"
    "# haichi: on 9223372036854775807\n"
    "1 ineighbor_allgatherv 9 1 2 3 1 2\n"
    "# haichi: on 9223372036854775807\n"
    "# haichi: request 2147483647\n"
    "1 ineighbor_alltoallw 1 2 3\n",
};

static char *read_text(const char *name)
{
  enum { ROOM = 1 << 20 };
  char *text = calloc(ROOM, 1);
  FILE *f = fopen(name, "r");
  assert_non_null(text);
  if (f == NULL)
    fail_msg("no %s", name);
  assert_true(fread(text, 1, ROOM - 1, f) < ROOM - 1);
  assert_int_equal(fclose(f), 0);
  return text;
}

static void assert_text(const char *name, const char *want)
{
  char *text = read_text(name);
  assert_string_equal(text, want);
  free(text);
}

/* Writes the trace @p from as the folder @p to. */
static void rewrite(const char *from, const char *to)
{
  struct trace *t;
  struct writer *w;
  struct err e = {{0}};
  assert_int_equal(trace_open(&t, from, SPOOL_LIMIT, &e), OK);
  assert_int_equal(writer_new(&w, to, trace_ranks(t), &e), OK);
  for (uint32_t r = 0; r < trace_ranks(t); r++) {
    const struct action *a;
    for (;;) {
      if (trace_next(t, r, &a, &e) != OK)
        fail_msg("%s", e.text);
      if (a == NULL)
        break;
      assert_int_equal(writer_put(w, r, a, &e), OK);
    }
  }
  assert_int_equal(writer_commit(w, &e), OK);
  trace_free(t);
}

static void written_traces_equal_their_source(void **state)
{
  (void)state;
  scratch_write("i", "r0\nr1\n");
  scratch_write("r0", TEXT[0]);
  scratch_write("r1", TEXT[1]);
  rewrite("i", "out");
  assert_text("out/index.txt", "ranks/rank-0000.txt\nranks/rank-0001.txt\n");
  assert_text("out/ranks/rank-0000.txt", TEXT[0]);
  char *marked = NULL;
  assert_true(asprintf(&marked, "%s%s", MARK, TEXT[1]) > 0);
  assert_text("out/ranks/rank-0001.txt", marked);
  rewrite("out", "again/");
  assert_text("again/ranks/rank-0000.txt", TEXT[0]);
  assert_text("again/ranks/rank-0001.txt", marked);
  free(marked);
}

/* Each action of the extension alone causes the mark in its file. */
static void the_extension_is_marked(void **state)
{
  (void)state;
  static struct comm_run run = {0, 0, 1, 0};
  static const struct comm one = {.id = 1, .index = 1, .members = {&run, 1, 1, 1}};
  static const struct action ACTIONS[] = {
      {.kind = ACTION_BARRIER, .comm = &one},
      {.kind = ACTION_SEND, .mode = ACTION_BUFFERED},
      {.kind = ACTION_ISEND, .mode = ACTION_SYNCHRONOUS},
      {.kind = ACTION_RECV, .partner = ACTION_ANY_SOURCE},
      {.kind = ACTION_IRECV, .tag = ACTION_ANY_TAG},
      {.kind = ACTION_SENDRECV, .source = ACTION_ANY_SOURCE},
      {.kind = ACTION_WAITANY},
  };
  struct writer *w;
  struct err e;
  assert_int_equal(writer_new(&w, "marks", COUNT(ACTIONS), &e), OK);
  for (uint32_t r = 0; r < COUNT(ACTIONS); r++)
    assert_int_equal(writer_put(w, r, &ACTIONS[r], &e), OK);
  assert_int_equal(writer_commit(w, &e), OK);
  for (uint32_t r = 0; r < COUNT(ACTIONS); r++) {
    char name[64];
    snprintf(name, sizeof name, "marks/ranks/rank-%04u.txt", r);
    char *text = read_text(name);
    assert_memory_equal(text, MARK, strlen(MARK));
    free(text);
  }
}

/* Long enough to be written to disk in pieces; the mark is added at the end. */
static void long_streams_are_whole(void **state)
{
  (void)state;
  enum { LINES = 20000 };
  struct writer *w;
  struct err e;
  assert_int_equal(writer_new(&w, "long", 1, &e), OK);
  for (int32_t i = 0; i < LINES; i++) {
    const struct action a = {.kind = ACTION_COMPUTE, .amount = i};
    assert_int_equal(writer_put(w, 0, &a, &e), OK);
  }
  const struct action last = {.kind = ACTION_WAITANY, .count = 1};
  assert_int_equal(writer_put(w, 0, &last, &e), OK);
  assert_int_equal(writer_commit(w, &e), OK);
  char *text = read_text("long/ranks/rank-0000.txt"), line[64], *at = text;
  assert_memory_equal(at, MARK, strlen(MARK));
  at += strlen(MARK);
  for (int32_t i = 0; i < LINES; i++) {
    const int n = snprintf(line, sizeof line, "0 compute %g\n", i + 0.0);
    assert_memory_equal(at, line, n);
    at += n;
  }
  assert_string_equal(at, "0 waitAny 1\n");
  free(text);
}

static void assert_nothing_left(const char *pattern)
{
  glob_t found;
  assert_int_equal(glob(pattern, 0, NULL, &found), GLOB_NOMATCH);
}

static void a_trace_appears_when_complete(void **state)
{
  (void)state;
  const struct action a = {.kind = ACTION_BARRIER};
  struct writer *w;
  struct err e;
  assert_int_equal(writer_new(&w, "gone", 2, &e), OK);
  assert_int_equal(writer_put(w, 0, &a, &e), OK);
  assert_int_not_equal(access("gone", F_OK), 0);
  writer_abandon(w);
  writer_abandon(NULL);
  assert_nothing_left("gone*");
}

static void an_empty_folder_is_replaced_by_a_complete_trace_only(void **state)
{
  (void)state;
  struct writer *w;
  struct err e;
  assert_int_equal(mkdir("empty", 0777), 0);
  assert_int_equal(writer_new(&w, "empty", 1, &e), OK);
  writer_abandon(w);
  assert_int_equal(access("empty", F_OK), 0);
  assert_int_equal(writer_new(&w, "empty", 1, &e), OK);
  assert_int_equal(writer_commit(w, &e), OK);
  assert_text("empty/index.txt", "ranks/rank-0000.txt\n");
  assert_nothing_left("empty.*");
}

static void failed_writes_are_errors(void **state)
{
  (void)state;
  static const char *const REFUSED[][2] = {
      {"full", "full: cannot write into it: Directory not empty"},
      {"file", "file: cannot write into it: Not a directory"},
      {"-", "-: standard output is no folder; a folder of this name is './-'"},
      {"no/such/out", "no/such/out: cannot create: No such file or directory"},
  };
  struct writer *w = NULL;
  struct err e;
  assert_int_equal(mkdir("full", 0777), 0);
  scratch_write("full/kept", "x");
  scratch_write("file", "x");
  for (size_t i = 0; i < COUNT(REFUSED); i++) {
    assert_int_equal(writer_new(&w, REFUSED[i][0], 1, &e), FAIL);
    assert_string_equal(e.text, REFUSED[i][1]);
    assert_null(w);
  }
  assert_text("full/kept", "x");
  char name[3000];
  memset(name, 'a', sizeof name);
  name[sizeof name - 1] = '\0';
  assert_int_equal(writer_new(&w, name, 1, &e), FAIL);
  assert_non_null(strstr(e.text, "the name is too long"));
}

/* Meanwhile a file of the same name was created. */
static void a_failed_end_leaves_nothing_behind(void **state)
{
  (void)state;
  struct writer *w;
  struct err e;
  assert_int_equal(writer_new(&w, "taken", 1, &e), OK);
  scratch_write("taken", "x");
  assert_int_equal(writer_commit(w, &e), FAIL);
  assert_string_equal(e.text, "taken: cannot write: Not a directory");
  assert_text("taken", "x");
  assert_nothing_left("taken.*");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(written_traces_equal_their_source),
      cmocka_unit_test(the_extension_is_marked),
      cmocka_unit_test(long_streams_are_whole),
      cmocka_unit_test(a_trace_appears_when_complete),
      cmocka_unit_test(an_empty_folder_is_replaced_by_a_complete_trace_only),
      cmocka_unit_test(failed_writes_are_errors),
      cmocka_unit_test(a_failed_end_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}

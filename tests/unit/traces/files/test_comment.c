#include "traces/files/comment.h"
#include "traces/files/spool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/scratch.h"
#include "traces/trace.h"

/* Opens a trace of up to three rank files with these texts. */
static struct trace *open_texts(const char *const *text)
{
  struct trace *t;
  struct err e = {{0}};
  FILE *index = fopen("index.txt", "w");
  assert_non_null(index);
  for (int r = 0; r < 3 && text[r] != NULL; r++) {
    char name[16];
    snprintf(name, sizeof name, "r%d", r);
    scratch_write(name, text[r]);
    fprintf(index, "%s\n", name);
  }
  assert_int_equal(fclose(index), 0);
  if (trace_open(&t, "index.txt", SPOOL_LIMIT, &e) != OK)
    fail_msg("%s", e.text);
  return t;
}

/* Reads rank after rank up to the first failure. */
static enum status read_all(struct trace *t, struct err *e)
{
  for (uint32_t r = 0; r < trace_ranks(t); r++) {
    const struct action *a;
    do
      if (trace_next(t, r, &a, e) != OK)
        return FAIL;
    while (a != NULL);
  }
  return OK;
}

#define DEFINED "# haichi: comm 1 0:1:2\n"

/* The file of rank 0 in a trace of two ranks, and its error or NULL.  Rank 1 only has an init. */
static const struct {
  const char *text, *why;
} CASES[] = {
    {"#\n# haichi\n#haichi: on 3\n# haichi:on 3\n# a comment\n", NULL},
    {"# haichi:\n", "r0:1: # haichi: no key follows"},
    {"# haichi: \t\n", "r0:1: # haichi: no key follows"},
    {"\n# haichi: off 3\n", "r0:2: # haichi: the key 'off' is not known"},
    {"# haichi: has actions that smpirun -replay of SimGrid 3.32 lacks\n", NULL},
    {" # haichi: has\r\n", NULL},
    /* iteration */
    {"# haichi: iteration 1\n# haichi: iteration end\n", NULL},
    {"# haichi: iteration\n", "r0:1: # haichi: iteration: 0 values are too few"},
    {"# haichi: iteration 1 2\n", "r0:1: # haichi: iteration: 2 values are too many"},
    {"# haichi: iteration 0\n", "r0:1: # haichi: iteration: 0 is outside 1..4294967295"},
    {"# haichi: iteration ends\n", "r0:1: # haichi: iteration: 'ends' is not a whole number"},
    /* comm */
    {"# haichi: comm 1 0 1\n", NULL},
    {"# haichi: comm 9223372036854775807 1:-1:2\n", NULL},
    {"# haichi: comm 1 0:0:1\n", NULL},
    {"# haichi: comm 1\n", "r0:1: # haichi: comm: 1 values are too few"},
    {"# haichi: comm 0 0\n", "comm: communicator: 0 is outside 1..9223372036854775807"},
    {"# haichi: comm 9223372036854775808 0\n",
     "comm: communicator: '9223372036854775808' is out of range"},
    {"# haichi: comm x 0\n", "comm: communicator: 'x' is not a whole number"},
    {"# haichi: comm 1 0 2\n", "comm: members: 2 is outside 0..1"},
    {"# haichi: comm 1 -1\n", "comm: members: -1 is outside 0..1"},
    {"# haichi: comm 1 0:1\n", "comm: members: '0' has a stride but no count"},
    {"# haichi: comm 1 0:1:2:3\n", "comm: members: more than FIRST:STRIDE:COUNT"},
    {"# haichi: comm 1 0:1:0\n", "comm: members: 0 is outside 1..2"},
    {"# haichi: comm 1 0:1:3\n", "comm: members: 3 is outside 1..2"},
    {"# haichi: comm 1 0:3:2\n", "comm: members: 3 is outside -2..2"},
    {"# haichi: comm 1 0:2:2\n", "comm: member 2 is not one of the 2 ranks"},
    {"# haichi: comm 1 0:1:2 0\n", "comm: more members than the 2 ranks of the trace"},
    {"# haichi: comm 1 0 0\n", "comm: rank 0 is a member twice"},
    {"# haichi: comm 1 1\n", "comm: rank 0 is not a member of communicator 1"},
    {"# haichi: comm 1 0 1\n" DEFINED, "r0:2: # haichi: comm: communicator 1 has its members"},
    /* on */
    {DEFINED "# haichi: on 1\n# c\n0 location x 3\n\n0 bcast 8\n0 send 1 0 8\n", NULL},
    {"# haichi: on\n", "on: 0 values are too few"},
    {"# haichi: on 1\n0 barrier\n", "r0:1: # haichi: on: communicator 1 has no members"},
    {DEFINED "# haichi: on 1\n# haichi: on 1\n0 barrier\n",
     "r0:3: # haichi: on: a second communicator for the same action"},
    {DEFINED "# haichi: on 1\n0 isend 1 0 8\n# haichi: on 1\n0 wait 0 1 0\n", NULL},
    {DEFINED "# haichi: on 1\n0 recv -333 -444 8\n# haichi: on 1\n0 sendRecv 1 1 1 -333 6 6\n",
     NULL},
    {"# haichi: comm 1 0\n# haichi: on 1\n0 Ssend 1 0 8\n",
     "r0:3: send: rank 1 is not a member of communicator 1"},
    {"# haichi: comm 1 0\n# haichi: on 1\n0 sendRecv 1 0 1 1 6 6\n",
     "r0:3: sendRecv: rank 1 is not a member of communicator 1"},
    {"# haichi: comm 1 0\n# haichi: on 1\n0 test 1 0 5\n",
     "r0:3: test: rank 1 is not a member of communicator 1"},
    {DEFINED "# haichi: on 1\n0 wait 0 0 -779\n",
     "wait: only collectives and messages are on communicator 1"},
    {DEFINED "# haichi: on 1\n0 waitall\n",
     "waitall: only collectives and messages are on communicator 1"},
    {DEFINED "# haichi: on 1\n0 comm_dup\n",
     "comm_size: only collectives and messages are on communicator 1"},
    {DEFINED "# haichi: on 1\n", "r0:2: no action follows that is on communicator 1"},
    /* cart */
    {DEFINED "# haichi: cart 1 2p 1\n# haichi: on 1\n0 neighbor_alltoallv 1 2 3 4 5 6 7 8\n", NULL},
    {DEFINED "# haichi: cart 1 1 1 1 1 1 1 1 2\n", NULL},
    {DEFINED "# haichi: cart 1\n", "cart: 1 values are too few"},
    {DEFINED "# haichi: cart 1 1 1 1 1 1 1 1 1 2\n", "cart: more than 8 sides"},
    {DEFINED "# haichi: cart 2 2\n", "cart: communicator 2 has no members"},
    {DEFINED "# haichi: cart 1 3\n", "the sides make 3 ranks, but communicator 1 has 2"},
    {DEFINED "# haichi: cart 1 65536 65536\n", "the sides make 0 ranks, but communicator 1 has 2"},
    {DEFINED "# haichi: cart 1 2q\n", "cart: a side: '2q' is not a whole number"},
    {DEFINED "# haichi: cart 1 p\n", "cart: a side: 'p' is not a whole number"},
    {DEFINED "# haichi: cart 1 2\n# haichi: cart 1 2\n",
     "r0:3: # haichi: cart: communicator 1 has its neighbours already"},
    {DEFINED "# haichi: cart 1 2p\n# haichi: on 1\n0 neighbor_alltoall 1\n",
     "r0:4: neighbor_alltoall: 1 argument, not 2 to 4"},
    {DEFINED "# haichi: cart 1 2\n# haichi: on 1\n0 neighbor_alltoallv 1 2 3\n",
     "r0:4: neighbor_alltoallv: 3 arguments, not 4 to 6"},
    {DEFINED "# haichi: cart 1 2\n# haichi: on 1\n0 neighbor_alltoallw 1 2 3 4 6\n",
     "r0:4: neighbor_alltoallw: 5 arguments, not 4 to 4"},
    {DEFINED "# haichi: on 1\n0 neighbor_alltoall 1 1\n",
     "r0:3: neighbor_alltoall: not on a communicator whose neighbours are stated"},
    /* graph */
    {DEFINED "# haichi: graph 1 from to\n# haichi: on 1\n0 ineighbor_alltoallv\n", NULL},
    {DEFINED "# haichi: graph 1 from 1 1 to 0 -1\n# haichi: on 1\n0 neighbor_allgatherv 1 2 3\n",
     NULL},
    {DEFINED "# haichi: graph 1 from\n", "graph: 2 values are too few"},
    {DEFINED "# haichi: graph 1 to 1\n", "graph: 'to' is not 'from'"},
    {DEFINED "# haichi: graph 1 from 1\n", "graph: no 'to' follows"},
    {DEFINED "# haichi: graph 1 from 2 to 1\n", "graph: a neighbour: 2 is outside -1..1"},
    {DEFINED "# haichi: graph 1 from to to\n", "graph: a neighbour: 'to' is not a whole number"},
    {DEFINED "# haichi: graph 1 from 1 to\n# haichi: on 1\n0 neighbor_allgatherv 1\n",
     "r0:4: neighbor_allgatherv: 1 argument, not 2 to 4"},
    /* from */
    {"# haichi: from 1\n0 Start 0 4 40 1\n0 wait 1 0 4\n", NULL},
    {"# haichi: from 2\n", "from: 2 is outside 0..1"},
    {"# haichi: from 1\n# haichi: from 1\n", "r0:2: # haichi: from: a second source for the same"},
    {"# haichi: from 1\n0 Start 1 4 40 1\n",
     "isend: only a Start that receives takes the source 1"},
    {"# haichi: from 1\n0 irecv -333 4 40 1\n", "irecv: only a Start that receives takes"},
    {"# haichi: from 1\n", "r0:1: no Start follows that receives from 1"},
    /* type */
    {"# haichi: type -1 12\n0 send 1 0 8 -1\n# haichi: type -1 16\n0 send 1 0 8 -1\n", NULL},
    {"# haichi: type 32767 2147483647\n0 bcast 8 0 32767\n", NULL},
    {"0 bcast 8 0 60\n# haichi: type 60 1\n", "r0:1: bcast: no datatype has the number 60"},
    {"# haichi: type 60\n", "type: 1 values are too few"},
    {"# haichi: type 60 1 1\n", "type: 3 values are too many"},
    {"# haichi: type 32768 1\n", "type: datatype: 32768 is outside -1..32767"},
    {"# haichi: type 59 8\n", "datatype: 59 is SMPI's own, a derived one has -1 or 60 to 32767"},
    {"# haichi: type 60 0\n", "type: bytes: 0 is outside 1..2147483647"},
    /* request */
    {"# haichi: request 1\n0 ibarrier\n# haichi: request 1\n0 wait 0 0 -779\n", NULL},
    {DEFINED "# haichi: on 1\n# haichi: request 2147483647\n0 ibcast 8\n", NULL},
    {"# haichi: request\n", "request: 0 values are too few"},
    {"# haichi: request 0\n", "request: 0 is outside 1..2147483647"},
    {"# haichi: request 1\n# haichi: request 2\n", "r0:2: # haichi: request: a second name for"},
    {"# haichi: request 1\n0 barrier\n",
     "r0:2: barrier: only requests of nonblocking collectives have names, not 1"},
    {"# haichi: request 3\n0 wait 0 1 5\n", "wait: only requests of nonblocking collectives"},
    {"# haichi: request 3\n", "r0:1: no action follows whose request has the name 3"},
};

static void comments_are_read_as_stated(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(CASES); i++) {
    const char *const text[] = {CASES[i].text, "1 init\n", NULL};
    struct trace *t = open_texts(text);
    struct err e = {""};
    const enum status s = read_all(t, &e);
    if ((s == OK) != (CASES[i].why == NULL) ||
        (CASES[i].why != NULL && strstr(e.text, CASES[i].why) == NULL))
      fail_msg("case %zu: %s: %s", i, CASES[i].text, e.text);
    trace_free(t);
  }
}

/* The statements of other ranks do not affect a rank. */
static void statements_apply_to_their_rank_only(void **state)
{
  (void)state;
  struct err e;
  const char *const silent[] = {DEFINED, "# haichi: on 1\n1 barrier\n", NULL};
  struct trace *t = open_texts(silent);
  assert_int_equal(read_all(t, &e), FAIL);
  assert_string_equal(e.text, "r1:1: # haichi: on: communicator 1 has no members: the rank has not "
                              "stated them");
  trace_free(t);
  const char *const other[] = {DEFINED, "# haichi: comm 1 1 0\n", NULL};
  t = open_texts(other);
  assert_int_equal(read_all(t, &e), FAIL);
  assert_string_equal(e.text,
                      "r1:1: # haichi: comm: another rank gives communicator 1 other members");
  trace_free(t);
}

/* A second pass fails like the first one, regardless of statements by other ranks in the first. */
static void a_second_pass_fails_like_the_first(void **state)
{
  (void)state;
  const char *const text[] = {"# haichi: comm 7 0 0\n", "# haichi: comm 7 1 0\n", NULL};
  struct trace *t = open_texts(text);
  for (int pass = 0; pass < 2; pass++) {
    const struct action *a;
    struct err e;
    assert_int_equal(trace_next(t, 0, &a, &e), FAIL);
    assert_string_equal(e.text, "r0:1: # haichi: comm: rank 0 is a member twice");
    assert_int_equal(trace_next(t, 1, &a, &e), OK);
    trace_rewind(t);
  }
  trace_free(t);
}

/* The size of the communicator is the length of lists of counts, and the limit of the root. */
static void counts_and_roots_refer_to_the_communicator(void **state)
{
  (void)state;
  const char *const good[] = {"# haichi: comm 7 2 0\n# haichi: on 7\n0 gatherv 8 1 2 1 6 6\n"
                              "0 gatherv 8 1 2 3 2 6 6\n",
                              "1 init\n", "2 init\n", NULL};
  const char *const bad[] = {"# haichi: comm 7 2 0\n# haichi: on 7\n0 bcast 8 2\n", "1 init\n",
                             "2 init\n", NULL};
  struct trace *t = open_texts(good);
  const struct action *a;
  struct err e;
  for (int pass = 0; pass < 2; pass++) { /* rewinding drops the statements of a rank */
    assert_int_equal(trace_next(t, 0, &a, &e), OK);
    assert_int_equal(a->kind, ACTION_DEFINE);
    assert_int_equal(trace_next(t, 0, &a, &e), OK);
    assert_int_equal(a->comm->id, 7);
    assert_int_equal(a->root, 1);
    assert_int_equal(a->recvcounts[1], 2);
    assert_int_equal(trace_next(t, 0, &a, &e), OK);
    assert_null(a->comm);
    assert_int_equal(a->recvcounts[2], 3);
    trace_rewind(t);
  }
  trace_free(t);
  t = open_texts(bad);
  assert_int_equal(read_all(t, &e), FAIL);
  assert_string_equal(e.text, "r0:3: bcast: root: 2 is outside 0..1");
  trace_free(t);
}

/* In a merged file, a comment belongs to the rank of the next line. */
static void merged_files_keep_comments(void **state)
{
  (void)state;
  static const char TEXT[] = "0 init\n1 init\n# haichi: comm 1 1\n\n # haichi: on 1\n# c\n"
                             "1 barrier\n0 barrier\n";
  struct trace *t;
  const struct action *a;
  struct err e;
  scratch_write("merged", TEXT);
  assert_int_equal(trace_open(&t, "merged", SPOOL_LIMIT, &e), OK);
  static const enum action_kind WANT[] = {ACTION_INIT, ACTION_DEFINE, ACTION_BARRIER};
  static const uint64_t LINE[] = {2, 3, 7};
  for (size_t i = 0; i < COUNT(WANT); i++) {
    assert_int_equal(trace_next(t, 1, &a, &e), OK);
    assert_int_equal(a->kind, WANT[i]);
    assert_int_equal(trace_line(t, 1), LINE[i]);
  }
  assert_int_equal(a->comm->id, 1);
  assert_int_equal(trace_next(t, 0, &a, &e), OK);
  assert_int_equal(trace_next(t, 0, &a, &e), OK);
  assert_null(a->comm);
  trace_free(t);
  FILE *f = fopen("merged", "a");
  assert_non_null(f);
  fputs("# haichi: on 1\n", f);
  fclose(f);
  assert_int_equal(trace_open(&t, "merged", SPOOL_LIMIT, &e), FAIL);
  assert_string_equal(e.text, "merged:9: no rank's line follows this comment");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(comments_are_read_as_stated),
      cmocka_unit_test(statements_apply_to_their_rank_only),
      cmocka_unit_test(a_second_pass_fails_like_the_first),
      cmocka_unit_test(counts_and_roots_refer_to_the_communicator),
      cmocka_unit_test(merged_files_keep_comments),
  };
  return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}

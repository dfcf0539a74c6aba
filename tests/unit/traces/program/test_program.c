#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/traces/lowered_text.h"
#include "traces/program/program.h"

/* Communicator 1 has both ranks, in a ring. */
#define BOTH       "# haichi: comm 1 0 1\n"
#define ON(line)   "# haichi: on 1\n" line "\n"
#define RING(a, b) BOTH "# haichi: cart 1 2p\n" ON(a) BOTH "# haichi: cart 1 2p\n" ON(b)

/* A merged trace (each line begins with the rank) and the error of its program; NULL: no error. */
static const struct {
  const char *text, *error;
} CASE[] = {
    {"0 barrier\n1 barrier\n", NULL},
    {"0 barrier\n1 bcast 8\n", "2: rank 1 calls bcast where rank 0 calls barrier (line 1)"},
    {"0 bcast 8 0 6\n1 bcast 8 1 6\n", "2: rank 1 calls bcast with root 1, rank 0 with root 0"},
    {"0 bcast 8 0 6\n1 bcast 1 0 0\n", NULL}, /* 8 bytes are one double */
    {"0 bcast 8 0 6\n1 bcast 9 0 6\n", "2: the sizes of bcast on rank 1 differ from those of"},
    {"0 reduce 8 0 0 6\n1 reduce 8 0 1 6\n", "rank 1 calls reduce with root 1"},
    {"0 reduce 8 0\n1 reduce 7 0\n", "the sizes of reduce"},
    {"0 allreduce 8 0\n1 allreduce 7 0\n", "the sizes of allreduce"},
    {"0 scan 8 0\n1 scan 7 0\n", "the sizes of scan"},
    {"0 exscan 8 0\n1 exscan 7 0\n", "the sizes of exscan"},
    {"0 alltoall 8 8\n1 alltoall 8 8\n", NULL},
    {"0 alltoall 8 8\n1 alltoall 7 7\n", "the sizes of alltoall"},
    {"0 alltoall 8 7\n1 alltoall 8 7\n",
     "alltoall sends 8 bytes to each rank but receives 7 from each"},
    {"0 allgather 8 7\n1 allgather 8 7\n",
     "allgather sends 8 bytes to each rank but receives 7 from each"},
    {"0 allgather 8 8\n1 allgather 7 7\n", "the sizes of allgather"},
    {"0 gather 8 8\n1 gather 8 0\n", NULL}, /* the receive size matters at the root only */
    {"0 gather 8 8\n1 gather 7 8\n", "the sizes of gather"},
    {"0 scatter 8 8\n1 scatter 0 8\n", NULL},
    {"0 scatter 8 8\n1 scatter 8 7\n", "the sizes of scatter"},
    {"0 gatherv 8 8 5\n1 gatherv 5 0 0\n", NULL},
    {"0 gatherv 8 8 5\n1 gatherv 6 0 0\n", "in this gatherv the sizes"},
    {"0 gatherv 0 8 5\n1 gatherv 5 0 0\n", NULL}, /* MPI_IN_PLACE */
    {"0 gatherv 0 8 5\n1 gatherv 6 0 0\n", "in this gatherv the sizes"},
    {"0 gatherv 7 8 5\n1 gatherv 5 0 0\n", "in this gatherv the sizes"},
    {"0 scatterv 8 5 8\n1 scatterv 0 0 5\n", NULL},
    {"0 scatterv 8 5 8\n1 scatterv 0 0 6\n", "in this scatterv the sizes"},
    {"0 allgatherv 8 8 5\n1 allgatherv 5 8 5\n", NULL},
    {"0 allgatherv 8 8 5\n1 allgatherv 6 8 5\n", "in this allgatherv the sizes"},
    {"0 allgatherv 8 8 5\n1 allgatherv 5 8 6\n", "in this allgatherv the sizes"},
    {"0 reducescatter 3 4 0\n1 reducescatter 3 4 0\n", NULL},
    {"0 reducescatter 3 4 0\n1 reducescatter 4 3 0\n", "the sizes of reducescatter"},
    {"0 reducescatter 3 4 0\n1 reducescatter 3 5 0\n", "the sizes of reducescatter"},
    {"0 alltoallv 3 1 2 3 1 7\n1 alltoallv 9 7 2 4 2 2\n", NULL},
    {"0 alltoallv 3 1 2 3 1 7\n1 alltoallv 9 6 2 4 2 2\n", "in this alltoallv the sizes"},
    {"0 barrier\n1 compute 1\n", "1: rank 0 calls barrier, but rank 1 never does"},
    {"0 barrier\n0 barrier\n1 barrier\n", "2: rank 0 calls barrier, but rank 1 never does"},
    {"0 wait 0 1 5\n1 compute 1\n",
     "1: wait for a request that was never posted: from 0 to 1, tag 5"},
    {"0 test 0 1 5\n1 compute 1\n", NULL}, /* as in SMPI: the program may have tested more often */
    {"0 isend 1 5 8\n0 wait 0 1 5\n1 compute 1\n", NULL},
    {"0 isend 1 5 8\n0 wait 0 1 6\n1 compute 1\n", "2: wait for a request that was never posted"},
    {"0 isend 1 5 8\n0 wait 1 0 5\n1 compute 1\n", "2: wait for a request that was never posted"},
    {"0 isend 1 5 8\n0 wait 0 1 5\n0 wait 0 1 5\n1 compute 1\n",
     "3: wait for a request that was never posted"},
    {"0 irecv -333 5 8\n0 wait -333 0 5\n1 compute 1\n", NULL},
    {"0 isend 1 5 8\n0 test 0 1 5\n0 wait 0 1 5\n1 compute 1\n", NULL}, /* the test succeeds */
    {"0 isend 1 5 8\n0 waitall 1\n0 wait 0 1 5\n1 compute 1\n",
     "3: wait for a request that was never posted"},
    {"0 isend 1 5 8\n0 isend 1 6 8\n0 waitall 1\n0 wait 0 1 6\n1 compute 1\n", NULL},
    /* a waitAny may have ended another request in the traced program */
    {"0 isend 1 5 8\n0 irecv 1 5 8\n0 waitAny 2\n0 wait 0 1 5\n1 compute 1\n", NULL},
    {"0 isend 1 5 8\n0 waitAny 1\n0 wait 0 1 5\n0 wait 0 1 5\n1 compute 1\n",
     "4: wait for a request that was never posted"},
    {"0 ibarrier\n1 ibarrier\n0 waitAny 1\n0 wait 0 0 -779\n1 waitall\n", NULL},
    /* messages on communicators */
    {BOTH ON("0 isend 1 5 8") ON("0 wait 0 1 5") "1 compute 1\n", NULL},
    {BOTH ON("0 isend 1 5 8") "0 wait 0 1 5\n1 compute 1\n",
     "4: wait for a request that was never posted: from 0 to 1, tag 5"},
    {BOTH ON("0 irecv -333 5 8") ON("0 wait 1 0 5") "1 compute 1\n", NULL},
    {BOTH "0 irecv 1 5 8\n" ON("0 wait 1 0 5") "1 compute 1\n",
     "4: wait for a request that was never posted: from 1 to 0, tag 5"},
    /* nonblocking collectives */
    {"0 ibarrier\n1 ibarrier\n0 wait 0 0 -779\n1 waitall\n", NULL},
    {"0 ibarrier\n1 barrier\n", "2: rank 1 calls barrier where rank 0 calls ibarrier (line 1)"},
    {"0 ibcast 8 1\n1 ibcast 8 0\n", "2: rank 1 calls ibcast with root 0, rank 0 with root 1"},
    {"0 iallgather 8 7\n1 iallgather 8 7\n",
     "iallgather sends 8 bytes to each rank but receives 7 from each"},
    {"0 igatherv 8 8 5\n1 igatherv 6 0 0\n", "in this igatherv the sizes"},
    {"0 alltoallw 1 2 1 7\n1 alltoallw 7 4 2 4\n", NULL},
    {"0 ialltoallw 1 2 1 7\n1 ialltoallw 7 4 3 4\n", "in this ialltoallw the sizes"},
    {"0 ibarrier\n0 wait 0 0 -3335\n1 ibarrier\n",
     "2: wait for a collective that was never begun: tag -3335, request 0"},
    {"0 ibarrier\n0 wait 0 0 -779\n0 wait 0 0 -779\n1 ibarrier\n",
     "3: wait for a collective that was never begun: tag -779, request 0"},
    {"0 ibarrier\n0 waitall\n0 wait 0 0 -779\n1 ibarrier\n",
     "3: wait for a collective that was never begun"},
    {"0 isend 1 5 8\n0 ibarrier\n0 waitall 1\n0 wait 0 0 -779\n1 ibarrier\n", NULL},
    {"0 isend 1 5 8\n0 ibarrier\n0 waitall 2\n0 wait 0 0 -779\n1 ibarrier\n",
     "4: wait for a collective that was never begun"},
    {"# haichi: request 5\n0 ibarrier\n0 wait 0 0 -779\n1 ibarrier\n",
     "3: wait for a collective that was never begun: tag -779, request 0"},
    {"# haichi: request 5\n0 ibarrier\n0 waitall\n# haichi: request 5\n0 wait 0 0 "
     "-779\n1 ibarrier\n",
     NULL},
    /* neighbours: two ranks in a ring */
    {RING("0 neighbor_alltoallv 1 2 3 4", "1 neighbor_alltoallv 4 3 2 1"), NULL},
    {RING("0 neighbor_alltoallv 1 2 3 4", "1 neighbor_alltoallv 4 3 2 2"),
     "in this neighbor_alltoallv on communicator 1 the sizes"},
    {RING("0 neighbor_allgather 8 8", "1 neighbor_allgather 8 8"), NULL},
    {RING("0 neighbor_allgather 8 8", "1 neighbor_allgather 7 7"), "in this neighbor_allgather on"},
    {RING("0 neighbor_allgather 8 8", "1 neighbor_alltoall 8 8"),
     "rank 1 calls neighbor_alltoall where rank 0 calls neighbor_allgather on communicator 1"},
    {RING("0 ineighbor_alltoall 8 8", "1 ineighbor_alltoall 8 8"), NULL},
    {BOTH "# haichi: graph 1 from to 1\n" ON("0 neighbor_alltoall 8 8") BOTH
     "# haichi: graph 1 from 0 to\n" ON("1 neighbor_alltoall 8 8"),
     NULL},
    {BOTH "# haichi: graph 1 from to 1\n" ON("0 neighbor_alltoall 8 8") BOTH
     "# haichi: graph 1 from 1 to\n" ON("1 neighbor_alltoall 8 8"),
     "in this neighbor_alltoall on communicator 1 the sizes"},
    /* persistent requests */
    {"0 Start 1 4 40 1\n0 wait 0 1 4\n1 Start 1 4 40 1\n1 wait 0 1 4\n", NULL},
    {"0 Start 1 4 40 1\n0 waitall\n1 Start 1 4 40 1\n1 test 0 1 4\n1 wait 0 1 4\n", NULL},
    {"0 init\n1 Start 1 4 40 1\n1 wait 0 1 5\n", "wait for a request that was never posted"},
    {"0 init\n# haichi: from 0\n1 Start 1 4 40 1\n1 wait -333 1 4\n",
     "wait for a request that was never posted"},
    {"0 ibarrier\n0 test 0 0 -779\n0 test 0 0 -779\n0 wait 0 0 -779\n1 ibarrier\n", NULL},
};

static const struct collectives DEFAULTS;

static void programs_fail_as_stated(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
    struct lowered_text f;
    struct err e = {""};
    lowered_text_open(&f, CASE[i].text, &DEFAULTS);
    const enum status s = lowered_text_run(f.program, &e);
    if ((s == OK) != (CASE[i].error == NULL) ||
        (CASE[i].error != NULL && strstr(e.text, CASE[i].error) == NULL))
      fail_msg("case %zu: %s: %s", i, CASE[i].text, e.text);
    lowered_text_close(&f);
  }
}

/* The operations of a rank as letters: x exec, z sleep, s/S send, r/R recv (capitals block), w
 * wait, a waitall, y waitany, t test. */
static void letters(struct program *p, uint32_t rank, char *text)
{
  struct op op;
  struct err e;
  bool more = true;
  while (program_next(p, rank, &op, &more, &e) == OK && more) {
    const bool blocks = op.request == OP_NO_REQUEST;
    *text++ = op.kind == OP_SEND   ? (blocks ? 'S' : 's')
              : op.kind == OP_RECV ? (blocks ? 'R' : 'r')
                                   : "xzSRwayt"[op.kind];
    if (op.kind == OP_TEST || op.kind == OP_WAITANY)
      program_completed(p, rank, op.kind == OP_TEST ? op.request : op.requests[0]);
  }
  *text = '\0';
}

static void actions_become_operations(void **state)
{
  (void)state;
  static const struct {
    const char *text, *first, *second; /* ranks 0 and 1 */
  } row[] = {
      {"0 init\n0 compute 5\n0 sleep 1\n0 finalize\n1 comm_dup\n1 compute 1\n", "xz", "x"},
      {"0 send 1 0 8\n0 Ssend 1 0 8\n1 recv 0 0 8\n1 recv 0 0 8\n", "SS", "RR"},
      {"0 isend 1 0 8\n0 wait 0 1 0\n1 irecv 0 0 8\n1 waitall\n", "sw", "ra"},
      {"0 isend 1 0 8\n1 irecv 0 0 8\n", "sa", "ra"}, /* implicit wait at the end */
      {"0 isend 1 0 8\n0 isend 1 0 8\n0 waitAny\n1 waitall\n1 waitAny\n", "ssya", ""},
      {"0 isend 1 0 8\n0 test 0 1 0\n0 wait 0 1 0\n1 test 0 1 0\n", "st", ""},
      {"0 sendRecv 8 1 8 1 6 6\n1 sendRecv 8 1 8 1 6 6\n", "sra", ""}, /* self: a copy */
      {"0 barrier\n1 barrier\n", "rasa", "SR"},
      {"0 bcast 8\n1 bcast 8\n", "S", "R"},
      {"0 reduce 8 5\n1 reduce 8 0\n", "rax", "sa"},
      {"0 allreduce 8 5\n1 allreduce 8 5\n", "raSx", "saRx"},
      {"0 scan 8 0\n1 scan 8 3\n", "sa", "rax"},
      {"0 alltoall 8 8\n1 alltoall 8 8\n", "sra", "sra"},
      /* Nonblocking collectives do not wait; their flops come after the wait. */
      {"0 ibarrier\n0 wait 0 0 -779\n1 ibarrier\n1 waitall\n", "rsa", "sra"},
      {"0 ibcast 8\n0 compute 1\n0 wait 0 0 -3335\n1 ibcast 8\n", "sxa", "ra"},
      {"0 ireduce 8 5\n0 waitall 1\n1 ireduce 8 0\n", "rax", "sa"},
      {"0 iallreduce 8 5\n1 iallreduce 8 5\n1 test 0 0 -4446\n", "srax", "srtx"},
      {"0 iscan 8 0\n1 iscan 8 3\n1 waitAny 1\n", "sa", "rax"},
      {"0 iexscan 8 0\n1 iexscan 8 3\n1 wait 0 0 -889\n", "sa", "rax"},
      {"0 ialltoall 8 8\n1 ialltoall 8 8\n", "rsa", "rsa"},
      {"0 iallgather 8 8\n0 isend 1 0 8\n0 waitall 1\n1 iallgather 8 8\n1 waitAny 1\n", "srsaa",
       "sra"},
      {"0 isend 1 0 8\n0 ibarrier\n0 waitAny 1\n1 ibarrier\n", "srsya", "sra"},
      {"0 igather 8 8\n0 igather 8 8\n0 wait 0 0 -446\n1 igather 8 8\n1 igather 8 8\n", "rraa",
       "ssa"},
      {"0 alltoallw 1 2 1 7\n1 alltoallw 7 4 2 4\n", "rsa", "rsa"},
      {RING("0 neighbor_alltoall 8 8", "1 neighbor_alltoall 8 8"), "rrssa", "rrssa"},
      {RING("0 ineighbor_alltoall 8 8", "1 ineighbor_alltoall 8 8\n1 compute 1"), "rrssa",
       "rrssxa"},
      {BOTH "# haichi: cart 1 2\n" ON("0 neighbor_allgather 8 8") BOTH
       "# haichi: cart 1 2\n" ON("1 neighbor_allgather 8 8"),
       "rsa", "rsa"},
      {"0 reduce_local 8 5\n0 reduce_local 8 0\n1 Start 1 4 8 6\n1 Start 0 4 8 6\n1 waitall\n", "x",
       "rsa"},
      /* Each call starts again with its first operation. */
      {"0 bcast 8\n0 allreduce 8 0\n0 allreduce 8 0\n1 bcast 8\n1 allreduce 8 0\n1 allreduce 8 0\n",
       "SraSraS", "RsaRsaR"},
      {"0 sendRecv 8 1 8 1 6 6\n0 sendRecv 8 1 8 1 6 6\n1 sendRecv 8 0 8 0 6 6\n1 sendRecv 8 0 8 0 "
       "6 6\n",
       "srasra", "srasra"},
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    struct lowered_text f;
    char text[64];
    lowered_text_open(&f, row[i].text, &DEFAULTS);
    letters(f.program, 0, text);
    assert_string_equal(text, row[i].first);
    letters(f.program, 1, text);
    assert_string_equal(text, row[i].second);
    lowered_text_close(&f);
  }
}

static void messages_carry_bytes_tags_and_modes(void **state)
{
  (void)state;
  struct lowered_text f;
  struct op op;
  struct err e;
  bool more;
  lowered_text_open(&f,
                    "0 send 1 7 3 0\n0 bsend 1 0 5 1\n0 Ssend 1 0 5\n"
                    "1 recv 0 7 3 0\n1 recv -333 -444 -1\n1 recv 0 0 9\n",
                    &DEFAULTS);
  static const struct op SENDS[] = {{.bytes = 24, .tag = 7},
                                    {.bytes = 20, .mode = OP_BUFFERED},
                                    {.bytes = 5, .mode = OP_SYNCHRONOUS}};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(program_next(f.program, 0, &op, &more, &e), OK);
    assert_int_equal(op.bytes, SENDS[i].bytes);
    assert_int_equal(op.tag, SENDS[i].tag);
    assert_int_equal(op.mode, SENDS[i].mode);
    assert_int_equal(op.peer, 1);
  }
  program_next(f.program, 1, &op, &more, &e);
  assert_int_equal(op.bytes, 24);
  program_next(f.program, 1, &op, &more, &e);
  assert_true(op.peer == OP_ANY_SOURCE && op.tag == OP_ANY_TAG && op.bytes == OP_ANY_BYTES);
  lowered_text_close(&f);
}

/* On a side of two ranks, both neighbours are the same rank: data sent up arrives from below. */
static void blocks_of_neighbours_are_distinguished(void **state)
{
  (void)state;
  static const uint64_t WANT[2][4] = {{3, 4, 2, 1},
                                      {2, 1, 3, 4}}; /* from below, from above, to above, .. */
  struct lowered_text f;
  struct op op;
  struct err e;
  bool more;
  lowered_text_open(&f, RING("0 neighbor_alltoallv 1 2 3 4", "1 neighbor_alltoallv 4 3 2 1"),
                    &DEFAULTS);
  for (uint32_t r = 0; r < 2; r++)
    for (int i = 0; i < 4; i++) {
      assert_int_equal(program_next(f.program, r, &op, &more, &e), OK);
      assert_int_equal(op.kind, i < 2 ? OP_RECV : OP_SEND);
      assert_int_equal(op.peer, 1 - r);
      assert_int_equal(op.bytes, WANT[r][i]);
    }
  lowered_text_close(&f);
}

static void derived_types_become_bytes(void **state)
{
  (void)state;
  struct lowered_text f;
  struct op op;
  struct err e;
  bool more;
  lowered_text_open(&f,
                    "# haichi: type -1 12\n0 send 1 0 3 -1\n# haichi: type -1 16\n"
                    "0 send 1 0 3 -1\n# haichi: type 60 24\n0 ibcast 3 0 60\n"
                    "1 recv 0 0 100\n1 recv 0 0 100\n1 ibcast 72\n",
                    &DEFAULTS);
  static const uint64_t BYTES[] = {36, 48, 72};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(program_next(f.program, 0, &op, &more, &e), OK);
    assert_int_equal(op.bytes, BYTES[i]);
  }
  assert_int_equal(lowered_text_run(f.program, &e), OK);
  lowered_text_close(&f);
}

/* Handles are reused however their requests end, so memory does not grow with the trace. */
static void handles_are_reused(void **state)
{
  (void)state;
  static const char *const ROUND[] = {
      "0 isend 1 0 8\n0 wait 0 1 0\n",
      "0 isend 1 0 8\n0 isend 1 1 8\n0 waitall\n",
      "0 isend 1 0 8\n0 waitAny\n",
      "0 isend 1 0 8\n0 test 0 1 0\n0 wait 0 1 0\n",
      "0 allgather 8 8\n1 allgather 8 8\n",
      "0 sendRecv 8 1 8 1 6 6\n",
      "0 ibarrier\n0 waitall\n",
      "0 ibarrier\n0 test 0 0 -779\n",
      "0 ibarrier\n0 waitAny\n",
      "0 ibarrier\n0 wait 0 0 -779\n",
  };
  for (size_t i = 0; i < sizeof ROUND / sizeof *ROUND; i++) {
    char text[8192] = "1 init\n";
    struct lowered_text f;
    struct op op;
    struct err e;
    bool more = true;
    for (int k = 0; k < 50; k++)
      strncat(text, ROUND[i], sizeof text - strlen(text) - 1);
    lowered_text_open(&f, text, &DEFAULTS);
    while (program_next(f.program, 0, &op, &more, &e) == OK && more) {
      if (op.kind == OP_SEND || op.kind == OP_RECV)
        assert_true(op.request < 4);
      if (op.kind == OP_TEST || op.kind == OP_WAITANY)
        program_completed(f.program, 0, op.kind == OP_TEST ? op.request : op.requests[0]);
    }
    assert_false(more);
    lowered_text_close(&f);
  }
}

static void chosen_algorithms_are_used(void **state)
{
  (void)state;
  struct collectives c = {.host = NULL};
  struct lowered_text f;
  struct err e;
  char text[64];
  struct op op;
  bool more;
  assert_int_equal(collectives_set(&c, "allreduce=rdb", &e), OK);
  lowered_text_open(&f, "0 allreduce 8 0\n1 allreduce 8 0\n", &DEFAULTS);
  program_free(f.program);
  assert_int_equal(program_new(&f.program, f.trace, &c, &e), OK);
  letters(f.program, 0, text);
  assert_string_equal(text, "sra");
  lowered_text_close(&f);
  lowered_text_open(&f, "0 reducescatter 3 4 0 0\n1 reducescatter 3 4 0 0\n",
                    &DEFAULTS); /* rdb: rank 0 gets its 3 doubles */
  assert_int_equal(program_next(f.program, 1, &op, &more, &e), OK);
  assert_true(op.kind == OP_SEND);
  assert_int_equal(op.bytes, 3 * 8);
  lowered_text_close(&f);
}

/* Takes the next operations of a rank, at most @p most. */
static enum status go_on(struct program *p, uint32_t rank, int most, struct err *e)
{
  struct op op;
  bool more = true;
  enum status s = OK;
  while (s == OK && more && most-- > 0)
    s = program_next(p, rank, &op, &more, e);
  return s;
}

/* The calls of rank 0 are remembered until rank 1 follows, 50 calls later. */
static void ranks_may_be_far_apart(void **state)
{
  (void)state;
  enum { CALLS = 60 };
  for (int wrong = 0; wrong <= CALLS; wrong += CALLS / 2) { /* none, a middle one, the last */
    char text[4096];
    struct lowered_text f;
    struct err e = {""};
    FILE *to = fmemopen(text, sizeof text, "w");
    assert_non_null(to);
    for (int i = 1; i <= CALLS; i++)
      fprintf(to, "0 bcast %d\n1 bcast %d\n", i, i + (i == wrong));
    fclose(to);
    lowered_text_open(&f, text, &DEFAULTS);
    assert_int_equal(go_on(f.program, 0, 10, &e), OK);
    assert_int_equal(go_on(f.program, 1, 10, &e), OK);
    assert_int_equal(go_on(f.program, 0, CALLS, &e), OK);
    assert_int_equal(go_on(f.program, 1, CALLS, &e), wrong == 0 ? OK : FAIL);
    if (wrong == 0)
      assert_int_equal(program_finish(f.program, &e), OK);
    else
      assert_non_null(strstr(e.text, "the sizes of bcast on rank 1"));
    lowered_text_close(&f);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(programs_fail_as_stated),
      cmocka_unit_test(actions_become_operations),
      cmocka_unit_test(messages_carry_bytes_tags_and_modes),
      cmocka_unit_test(blocks_of_neighbours_are_distinguished),
      cmocka_unit_test(derived_types_become_bytes),
      cmocka_unit_test(handles_are_reused),
      cmocka_unit_test(chosen_algorithms_are_used),
      cmocka_unit_test(ranks_may_be_far_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "traces/action.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/count.h"
#include "traces/datatype.h"
#include "traces/files/parse.h"

#define NO_PARTNER                                                                                 \
  "-333 is MPI_PROC_NULL, and SMPI's tracer loses messages of programs with it; use `haichi "      \
  "record'"

enum { RANKS = 4 };

/* Reads a line of rank 0 of 4. */
static enum status parse(struct action_reader *r, const char *line, const struct action **a,
                         struct err *e)
{
  struct action_words words = {0};
  char text[256];
  snprintf(text, sizeof text, "%s", line);
  enum status s = action_split(&words, text, strlen(text), e);
  if (s == OK)
    s = action_parse(r, &words, a, e);
  free(words.word);
  return s;
}

struct refusal {
  const char *line, *why;
};

#define AT_MOST_1 " is outside 0..9007199254740992"

static const struct refusal REFUSED[] = {
    /* names */
    {"0", "'0' is not followed by an action"},
    {"0 Put 1 2 3", "action 'Put' is not supported"},
    {"0 testany", "action 'testany' is not supported"},
    {"0 Start 1 0", "Start: 2 arguments, not 3 or more"},
    {"0 Start 4 0 8 6", "Start: partner: 4 is outside 0..3"},
    {"0 Start 1 0 8 x", "Start: datatype: 'x' is not a whole number"},
    {"0 Startall", "Startall: the tracer lost which requests start; replace the line by an isend "
                   "or irecv for each"},
    {"0 reduce_local 7", "reduce_local: 1 argument, not 2 or more"},
    {"0 reduce_scatter_block 7 -1", "reduce_scatter_block: flops: -1 is outside 0..1e+300"},
    {"0 neighbor_alltoall 7 7",
     "neighbor_alltoall: not on a communicator whose neighbours are stated"},
    {"0 icompute 1", "action 'icompute' is not supported"},
    {"0 iisend 1 0 8", "action 'iisend' is not supported"},
    {"0 ibarrier 1", "ibarrier: 1 argument, not 0"},
    {"0 iallreduce 1", "iallreduce: 1 argument, not 2 or more"},
    {"0 ibcast 1 4", "ibcast: root: 4 is outside 0..3"},
    {"0 alltoallw 1 1 1 1 1 1 1", "alltoallw: 7 arguments, not 8"},
    {"0 ialltoallw 1 1 1 1 1 1 1 -1", "ialltoallw: count: -1 is outside 0..2147483647"},
    {"0 wait x 0 -779", "wait: source: 'x' is not a whole number"},
    {"0 test 0 x -779", "test: destination: 'x' is not a whole number"},
    {"0 wait 0 0 -778", "wait: no nonblocking collective has the tag -778"},
    {"0 wait 0 0 -77x", "wait: tag: '-77x' is not a whole number"},
    {"0 Send 1 0 8", "action 'Send' is not supported"},
    /* number of arguments */
    {"0 compute", "compute: 0 arguments, not 1"},
    {"0 compute 1 2", "compute: 2 arguments, not 1"},
    {"0 sleep", "sleep: 0 arguments, not 1"},
    {"0 send 1 0", "send: 2 arguments, not 3 or more"},
    {"0 send 1 0 8 6 1", "send: 5 arguments, more than 4"},
    {"0 irecv 1 0", "irecv: 2 arguments, not 3 or more"},
    {"0 irecv 1 0 8 6 1", "irecv: 5 arguments, more than 4"},
    {"0 wait 0 1", "wait: 2 arguments, not 3"},
    {"0 test 0 1 2 3", "test: 4 arguments, not 3"},
    {"0 waitall 3 3", "waitall: 2 arguments, more than 1"},
    {"0 waitAny 3 3", "waitAny: 2 arguments, more than 1"},
    {"0 sendRecv 5 2 5 0 1", "sendRecv: 5 arguments, not 6"},
    {"0 barrier 1", "barrier: 1 argument, not 0"},
    {"0 init 1 2", "init: 2 arguments, more than 1"},
    {"0 finalize 1", "finalize: 1 argument, not 0"},
    {"0 location a.c", "location: 1 argument, not 2"},
    {"0 bcast", "bcast: 0 arguments, not 1 or more"},
    {"0 bcast 1 0 1 1", "bcast: 4 arguments, more than 3"},
    {"0 reduce 1", "reduce: 1 argument, not 2 or more"},
    {"0 reduce 1 0 0 1 1", "reduce: 5 arguments, more than 4"},
    {"0 allreduce 1", "allreduce: 1 argument, not 2 or more"},
    {"0 scan 1 0 1 1", "scan: 4 arguments, more than 3"},
    {"0 exscan 1", "exscan: 1 argument, not 2 or more"},
    {"0 alltoall 1", "alltoall: 1 argument, not 2 or more"},
    {"0 allgather 1 1 1 1 1", "allgather: 5 arguments, more than 4"},
    {"0 gather 1", "gather: 1 argument, not 2 or more"},
    {"0 scatter 1 1 0 1 1 1", "scatter: 6 arguments, more than 5"},
    {"0 gatherv 1 1 1 1", "gatherv: 4 arguments, not 5 or more"},
    {"0 gatherv 1 1 1 1 1 0 1 1 1", "gatherv: 9 arguments, more than 8"},
    {"0 scatterv 1 1 1 1", "scatterv: 4 arguments, not 5 or more"},
    {"0 reducescatter 1 1 1 1", "reducescatter: 4 arguments, not 5 or 6"},
    {"0 reducescatter 1 1 1 1 0 1 1", "reducescatter: 7 arguments, not 5 or 6"},
    {"0 alltoallv 4 1 1 1 1 4 1 1 1", "alltoallv: 9 arguments, not 10 or more"},
    {"0 alltoallv 4 1 1 1 1 4 1 1 1 1 1 1 1", "alltoallv: 13 arguments, more than 12"},
    {"0 allgatherv 1 1 1 1", "allgatherv: 4 arguments, not 5 or more"},
    {"0 allgatherv 1 1 1 1 1 0 0 0", "allgatherv: 8 arguments, not 5 to 7, 9 or 11"},
    {"0 allgatherv 1 1 1 1 1 1 1 0 0 0", "allgatherv: 10 arguments, not 5 to 7, 9 or 11"},
    {"0 allgatherv 1 1 1 1 1 1 1 0 0 0 x", "allgatherv: displacement: 'x' is not a whole number"},
    /* ranks, roots and tags */
    {"0 send 4 0 8", "send: partner: 4 is outside 0..3"},
    {"0 send -1 0 8", "send: partner: -1 is outside 0..3"},
    {"0 send -333 0 8", "send: partner: " NO_PARTNER},
    {"0 send x 0 8", "send: partner: 'x' is not a whole number"},
    {"0 recv 4 0 8", "recv: partner: 4 is outside 0..3"},
    {"0 recv -334 0 8", "recv: partner: -334 is outside 0..3"},
    {"0 sendRecv 5 4 5 0 1 1", "sendRecv: destination: 4 is outside 0..3"},
    {"0 sendRecv 5 -333 5 0 1 1", "sendRecv: destination: " NO_PARTNER},
    {"0 sendRecv 5 0 5 4 1 1", "sendRecv: source: 4 is outside 0..3"},
    {"0 wait 4 0 1", "wait: source: 4 is outside 0..3"},
    {"0 wait 0 -333 1", "wait: destination: " NO_PARTNER},
    {"0 send 1 -1 8", "send: tag: -1 is outside 0..2147483647"},
    {"0 send 1 -444 8", "send: tag: -444 is outside 0..2147483647"},
    {"0 recv 1 -2 8", "recv: tag: -2 is outside 0..2147483647"},
    {"0 recv 1 2147483648 8", "recv: tag: 2147483648 is outside 0..2147483647"},
    {"0 wait 0 1 -1", "wait: no nonblocking collective has the tag -1"},
    {"0 bcast 1 4", "bcast: root: 4 is outside 0..3"},
    {"0 reduce 1 0 -1", "reduce: root: -1 is outside 0..3"},
    {"0 gather 1 1 4", "gather: root: 4 is outside 0..3"},
    {"0 gather 68 68 0 0", "gather: root: 68 is outside 0..3"},
    {"0 scatter 1 1 4", "scatter: root: 4 is outside 0..3"},
    {"0 gatherv 1 1 1 1 1 4", "gatherv: root: 4 is outside 0..3"},
    {"0 scatterv 1 1 1 1 1 4", "scatterv: root: 4 is outside 0..3"},
    /* counts */
    {"0 send 1 0 -1", "send: count: -1" AT_MOST_1},
    {"0 send 1 0 1.5", "send: count: '1.5' is not a whole number"},
    {"0 send 1 0 8x", "send: count: '8x' is not a whole number"},
    {"0 send 1 0 9007199254740993", "send: count: 9007199254740993" AT_MOST_1},
    {"0 recv 1 0 -2", "recv: count: -2 is outside -1..9007199254740992"},
    {"0 sendRecv -1 1 5 0 1 1", "sendRecv: count sent: -1 is outside 0..2147483647"},
    {"0 sendRecv 5 1 -1 0 1 1", "sendRecv: count received: -1 is outside 0..2147483647"},
    {"0 waitall -1", "waitall: count: -1 is outside 0..2147483647"},
    {"0 bcast -1", "bcast: count: -1" AT_MOST_1},
    {"0 reduce -1 0", "reduce: count: -1" AT_MOST_1},
    {"0 allreduce x 0", "allreduce: count: 'x' is not a whole number"},
    {"0 scan -1 0", "scan: count: -1" AT_MOST_1},
    {"0 alltoall -1 1", "alltoall: count sent: -1 is outside 0..2147483647"},
    {"0 alltoall 1 -1", "alltoall: count received: -1 is outside 0..2147483647"},
    {"0 gather 2147483648 1", "gather: count sent: 2147483648 is outside 0..2147483647"},
    {"0 alltoallv x 1 1 1 1 4 1 1 1 1",
     "alltoallv: size of the send buffer: 'x' is not a whole number"},
    {"0 alltoallv 4 1 1 1 1 -1 1 1 1 1", "alltoallv: size of the receive buffer: -1" AT_MOST_1},
    {"0 alltoallv 4 1 1 1 -1 4 1 1 1 1", "alltoallv: count: -1 is outside 0..2147483647"},
    {"0 alltoallv 4 1 1 1 1 4 1 1 1 x", "alltoallv: count: 'x' is not a whole number"},
    {"0 gatherv -1 1 1 1 1", "gatherv: count sent: -1 is outside 0..2147483647"},
    {"0 gatherv 1 1 1 -1 1", "gatherv: count: -1 is outside 0..2147483647"},
    {"0 scatterv 1 1 1 1 -1", "scatterv: count received: -1 is outside 0..2147483647"},
    {"0 scatterv 1 1 -1 1 1", "scatterv: count: -1 is outside 0..2147483647"},
    {"0 allgatherv -1 1 1 1 1", "allgatherv: count sent: -1 is outside 0..2147483647"},
    {"0 allgatherv 1 1 1 1 -1", "allgatherv: count: -1 is outside 0..2147483647"},
    {"0 reducescatter 1 1 -1 1 0", "reducescatter: count: -1 is outside 0..2147483647"},
    {"0 location a.c x", "location: line: 'x' is not a whole number"},
    /* amounts */
    {"0 compute x", "compute: flops: 'x' is not a number"},
    {"0 compute nan", "compute: flops: 'nan' is not a number"},
    {"0 compute 1e999", "compute: flops: '1e999' is not a number"},
    {"0 compute -1", "compute: flops: -1 is outside 0..1e+300"},
    {"0 sleep -1", "sleep: seconds: -1 is outside 0..1e+300"},
    {"0 reduce 1 -1", "reduce: flops: -1 is outside 0..1e+300"},
    {"0 allreduce 1 x", "allreduce: flops: 'x' is not a number"},
    {"0 reducescatter 1 1 1 1 x", "reducescatter: flops: 'x' is not a number"},
    /* datatypes */
    {"0 send 1 0 8 -1", "send: datatype -1: the tracer lost the size of a derived datatype"},
    {"0 gatherv 1 0 1 0 1 0 -1 0",
     "gatherv: datatype -1: the tracer lost the size of a derived datatype"},
    {"0 gatherv 1 0 1 0 1 0 0 -1",
     "gatherv: datatype -1: the tracer lost the size of a derived datatype"},
    {"0 reducescatter 0 0 1 0 5 -1",
     "reducescatter: datatype -1: the tracer lost the size of a derived datatype"},
    {"0 send 1 0 8 55", "send: no datatype has the number 55"},
    {"0 send 1 0 8 56", "send: no datatype has the number 56"},
    {"0 send 1 0 8 60", "send: no datatype has the number 60"},
    {"0 send 1 0 8 -2", "send: no datatype has the number -2"},
    {"0 send 1 0 8 x", "send: datatype: 'x' is not a whole number"},
    {"0 recv 1 0 8 60", "recv: no datatype has the number 60"},
    {"0 sendRecv 5 2 5 0 60 1", "sendRecv: no datatype has the number 60"},
    {"0 sendRecv 5 2 5 0 1 60", "sendRecv: no datatype has the number 60"},
    {"0 bcast 1 0 60", "bcast: no datatype has the number 60"},
    {"0 reduce 1 0 0 60", "reduce: no datatype has the number 60"},
    {"0 alltoall 1 1 1 60", "alltoall: no datatype has the number 60"},
    {"0 alltoallv 4 1 1 1 1 4 1 1 1 1 1 60", "alltoallv: no datatype has the number 60"},
    {"0 gatherv 1 1 1 1 1 0 60 1", "gatherv: no datatype has the number 60"},
    {"0 scatterv 1 1 1 1 1 0 1 60", "scatterv: no datatype has the number 60"},
    {"0 allgatherv 1 1 1 1 1 60", "allgatherv: no datatype has the number 60"},
    {"0 reducescatter 1 1 1 1 0 60", "reducescatter: no datatype has the number 60"},
};

static void bad_actions_are_refused(void **state)
{
  (void)state;
  static const struct action BEFORE;
  for (size_t i = 0; i < COUNT(REFUSED); i++) {
    struct action_reader r = {.ranks = RANKS, .members = RANKS, .source = ACTION_ANY_SOURCE};
    const struct action *a = &BEFORE;
    struct err e = {{0}};
    if (parse(&r, REFUSED[i].line, &a, &e) != FAIL)
      fail_msg("taken: %s", REFUSED[i].line);
    assert_string_equal(e.text, REFUSED[i].why);
    assert_ptr_equal(a, &BEFORE);
    free(r.counts);
  }
}

struct reading {
  const char *line;
  struct action want;
};

static const int32_t ZEROS[RANKS], ONES[RANKS] = {1, 1, 1, 1},
                                   RISING[RANKS] = {0, 5, 6, 2147483647};

enum { B = DATATYPE_BYTE };

#define NONBLOCKING(kind) (ACTION_NONBLOCKING - ACTION_BARRIER + ACTION_##kind)

static const struct reading READ[] = {
    {"0 init", {.kind = ACTION_INIT}},
    {"0 finalize", {.kind = ACTION_FINALIZE}},
    {"0 compute 9.32766e+06", {.kind = ACTION_COMPUTE, .amount = 9327660}},
    {"0 compute 0", {.kind = ACTION_COMPUTE}},
    {"0 sleep 0.25", {.kind = ACTION_SLEEP, .amount = 0.25}},
    {"0 send 1 2 8", {.kind = ACTION_SEND, .partner = 1, .tag = 2, .count = 8, .type = B}},
    {"0 \t send  3 2 8 0 \t\r", {.kind = ACTION_SEND, .partner = 3, .tag = 2, .count = 8}},
    {"0 isend 1 0 1e+06 1", {.kind = ACTION_ISEND, .partner = 1, .count = 1000000, .type = 1}},
    {"0 isend 1 2147483647 9007199254740992 1",
     {.kind = ACTION_ISEND, .partner = 1, .tag = 2147483647, .count = 9007199254740992, .type = 1}},
    {"0 bsend 0 0 1 1", {.kind = ACTION_SEND, .mode = ACTION_BUFFERED, .count = 1, .type = 1}},
    {"0 ibsend 0 0 1 1", {.kind = ACTION_ISEND, .mode = ACTION_BUFFERED, .count = 1, .type = 1}},
    {"0 Ssend 0 0 1 1", {.kind = ACTION_SEND, .mode = ACTION_SYNCHRONOUS, .count = 1, .type = 1}},
    {"0 ssend 0 0 1 1", {.kind = ACTION_SEND, .mode = ACTION_SYNCHRONOUS, .count = 1, .type = 1}},
    {"0 ISsend 0 0 1 1", {.kind = ACTION_ISEND, .mode = ACTION_SYNCHRONOUS, .count = 1, .type = 1}},
    {"0 issend 0 0 1 1", {.kind = ACTION_ISEND, .mode = ACTION_SYNCHRONOUS, .count = 1, .type = 1}},
    {"0 recv 1 2 -1", {.kind = ACTION_RECV, .partner = 1, .tag = 2, .count = -1, .type = B}},
    {"0 irecv -333 -444 8 59",
     {.kind = ACTION_IRECV, .partner = -333, .tag = -444, .count = 8, .type = 59}},
    {"0 sendRecv 5 2 6 1 0 1",
     {.kind = ACTION_SENDRECV, .count = 5, .partner = 2, .count2 = 6, .source = 1, .type2 = 1}},
    {"0 sendRecv 5 2 6 -333 0 1",
     {.kind = ACTION_SENDRECV, .count = 5, .partner = 2, .count2 = 6, .source = -333, .type2 = 1}},
    {"0 wait 2 0 1", {.kind = ACTION_WAIT, .source = 2, .tag = 1}},
    {"0 wait -333 0 -444", {.kind = ACTION_WAIT, .source = -333, .tag = -444}},
    {"0 test 0 3 1", {.kind = ACTION_TEST, .partner = 3, .tag = 1}},
    {"0 wait -333 -333 -779",
     {.kind = ACTION_WAIT, .source = ACTION_COLLECTIVE, .partner = ACTION_COLLECTIVE, .tag = -779}},
    {"0 test 2 2 -3335",
     {.kind = ACTION_TEST,
      .source = ACTION_COLLECTIVE,
      .partner = ACTION_COLLECTIVE,
      .tag = -3335}},
    {"0 Start 1 4 40 1", {.kind = ACTION_ISEND, .partner = 1, .tag = 4, .count = 40, .type = B}},
    {"0 Start 0 4 40 -1",
     {.kind = ACTION_IRECV, .partner = -333, .tag = 4, .count = 40, .type = B}},
    {"0 reduce_local 7 2.5 1", {.kind = ACTION_REDUCE_LOCAL, .count = 7, .amount = 2.5, .type = 1}},
    {"0 reduce_scatter_block 1 2.5 1",
     {.kind = ACTION_REDUCESCATTER, .amount = 2.5, .type = 1, .recvcounts = ONES}},
    {"0 reducescatter 0 1", {.kind = ACTION_REDUCESCATTER, .type = 1, .recvcounts = ONES}},
    {"0 ireducescatter 0 1 ", {.kind = NONBLOCKING(REDUCESCATTER), .type = 1, .recvcounts = ONES}},
    {"0 ibarrier", {.kind = ACTION_NONBLOCKING}},
    {"0 ibcast 7 3 23", {.kind = NONBLOCKING(BCAST), .count = 7, .root = 3, .type = 23}},
    {"0 ireduce 7 0 2 1", {.kind = NONBLOCKING(REDUCE), .count = 7, .root = 2, .type = 1}},
    {"0 iallreduce 10 0 0 ", {.kind = NONBLOCKING(ALLREDUCE), .count = 10}},
    {"0 igather 7 3 1 2",
     {.kind = NONBLOCKING(GATHER), .count = 7, .root = 3, .type = 1, .type2 = 2}},
    {"0 ireducescatter 0 5 6 2147483647 0 1",
     {.kind = NONBLOCKING(REDUCESCATTER), .type = 1, .recvcounts = RISING}},
    {"0 alltoallw 1 1 1 1 0 5 6 2147483647",
     {.kind = ACTION_ALLTOALLW, .type = B, .type2 = B, .sendcounts = ONES, .recvcounts = RISING}},
    {"0 waitall", {.kind = ACTION_WAITALL, .count = -1}},
    {"0 waitall 12", {.kind = ACTION_WAITALL, .count = 12}},
    {"0 waitall 1.2e+06", {.kind = ACTION_WAITALL, .count = 1200000}},
    {"0 waitAny 3", {.kind = ACTION_WAITANY, .count = 3}},
    {"0 waitany", {.kind = ACTION_WAITANY, .count = -1}},
    {"0 comm_size 4", {.kind = ACTION_COMM}},
    {"0 comm_split a b c d", {.kind = ACTION_COMM}},
    {"0 comm_dup", {.kind = ACTION_COMM}},
    {"0 barrier", {.kind = ACTION_BARRIER}},
    {"0 bcast 7", {.kind = ACTION_BCAST, .count = 7, .type = B}},
    {"0 bcast 7 3 23", {.kind = ACTION_BCAST, .count = 7, .root = 3, .type = 23}},
    {"0 reduce 7 9", {.kind = ACTION_REDUCE, .count = 7, .amount = 9, .type = B}},
    {"0 reduce 7 0 2 1", {.kind = ACTION_REDUCE, .count = 7, .root = 2, .type = 1}},
    {"0 allreduce 7 2.5 1", {.kind = ACTION_ALLREDUCE, .count = 7, .amount = 2.5, .type = 1}},
    {"0 scan 7 2 1", {.kind = ACTION_SCAN, .count = 7, .amount = 2, .type = 1}},
    {"0 exscan 7 2", {.kind = ACTION_EXSCAN, .count = 7, .amount = 2, .type = B}},
    {"0 alltoall 7 8", {.kind = ACTION_ALLTOALL, .count = 7, .count2 = 8, .type = B, .type2 = B}},
    {"0 alltoall 7 8 1", {.kind = ACTION_ALLTOALL, .count = 7, .count2 = 8, .type = 1, .type2 = B}},
    {"0 alltoall 0 1 2", {.kind = ACTION_ALLTOALL, .type = 1, .type2 = 2}},
    {"0 allgather 7 8 1 2",
     {.kind = ACTION_ALLGATHER, .count = 7, .count2 = 8, .type = 1, .type2 = 2}},
    {"0 gather 7 8 3",
     {.kind = ACTION_GATHER, .count = 7, .count2 = 8, .root = 3, .type = B, .type2 = B}},
    {"0 gather 7 8 3 1 2",
     {.kind = ACTION_GATHER, .count = 7, .count2 = 8, .root = 3, .type = 1, .type2 = 2}},
    {"0 gather 7 3 1 2", {.kind = ACTION_GATHER, .count = 7, .root = 3, .type = 1, .type2 = 2}},
    {"0 scatter 7 8", {.kind = ACTION_SCATTER, .count = 7, .count2 = 8, .type = B, .type2 = B}},
    {"0 scatter 7 3 1 2", {.kind = ACTION_SCATTER, .count = 7, .root = 3, .type = 1, .type2 = 2}},
    {"0 gatherv 7 0 5 6 2147483647 3 1 2",
     {.kind = ACTION_GATHERV, .count = 7, .root = 3, .type = 1, .type2 = 2, .recvcounts = RISING}},
    {"0 gather 7 3 1 -1", {.kind = ACTION_GATHER, .count = 7, .root = 3, .type = 1, .type2 = B}},
    {"0 sendRecv 0 1 7 1 -1 2",
     {.kind = ACTION_SENDRECV, .partner = 1, .source = 1, .count2 = 7, .type = B, .type2 = 2}},
    {"0 scatterv 0 0 0 0 7 3 -1 2",
     {.kind = ACTION_SCATTERV, .count2 = 7, .root = 3, .type = B, .type2 = 2, .sendcounts = ZEROS}},
    {"0 scatterv 1 1 1 1 7",
     {.kind = ACTION_SCATTERV, .count2 = 7, .type = B, .type2 = B, .sendcounts = ONES}},
    {"0 allgatherv 7 1 1 1 1 1",
     {.kind = ACTION_ALLGATHERV, .count = 7, .type = 1, .type2 = B, .recvcounts = ONES}},
    {"0 allgatherv 7 1 1 1 1 1 2",
     {.kind = ACTION_ALLGATHERV, .count = 7, .type = 1, .type2 = 2, .recvcounts = ONES}},
    {"0 allgatherv 7 1 1 1 1 0 -4 9 3",
     {.kind = ACTION_ALLGATHERV, .count = 7, .type = B, .type2 = B, .recvcounts = ONES}},
    {"0 allgatherv 7 1 1 1 1 1 2 0 4 9 3",
     {.kind = ACTION_ALLGATHERV, .count = 7, .type = 1, .type2 = 2, .recvcounts = ONES}},
    {"0 alltoallv 9 1 1 1 1 4 0 5 6 2147483647 1 2",
     {.kind = ACTION_ALLTOALLV, .type = 1, .type2 = 2, .sendcounts = ONES, .recvcounts = RISING}},
    {"0 reducescatter 1 1 1 1 2.5 1",
     {.kind = ACTION_REDUCESCATTER, .amount = 2.5, .type = 1, .recvcounts = ONES}},
};

static void assert_counts(const int32_t *got, const int32_t *want)
{
  assert_int_equal(got != NULL, want != NULL);
  if (want != NULL)
    assert_memory_equal(got, want, RANKS * sizeof *want);
}

static void assert_action(const struct action *got, const struct action *want)
{
  struct action same = *got;
  assert_counts(got->sendcounts, want->sendcounts);
  assert_counts(got->recvcounts, want->recvcounts);
  same.sendcounts = want->sendcounts;
  same.recvcounts = want->recvcounts;
  assert_memory_equal(&same, want, offsetof(struct action, type2) + sizeof same.type2);
  assert_true(same.amount == want->amount);
  assert_int_equal(same.derived, want->derived);
  assert_int_equal(same.derived2, want->derived2);
}

static void each_form_is_read(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(READ); i++) {
    struct action_reader r = {.ranks = RANKS, .members = RANKS, .source = ACTION_ANY_SOURCE};
    const struct action *a = NULL;
    struct err e = {{0}};
    memset(&r.action, 0xff, sizeof r.action);
    if (parse(&r, READ[i].line, &a, &e) != OK)
      fail_msg("%s: %s", READ[i].line, e.text);
    assert_non_null(a);
    assert_action(a, &READ[i].want);
    free(r.counts);
  }
}

static void an_action_begins_with_zeros(void **state)
{
  (void)state;
  const struct action want = {.kind = ACTION_BCAST, .mode = ACTION_SYNCHRONOUS};
  struct action a;
  memset(&a, 0xff, sizeof a);
  action_begin(&a, ACTION_BCAST, ACTION_SYNCHRONOUS);
  assert_memory_equal(&a, &want, sizeof a);
}

static void the_arguments_of_init_decide_the_default_datatype(void **state)
{
  (void)state;
  struct action_reader r = {.ranks = RANKS, .members = RANKS, .source = ACTION_ANY_SOURCE};
  const struct action *a;
  struct err e;
  assert_int_equal(parse(&r, "0 init 1", &a, &e), OK);
  assert_int_equal(parse(&r, "0 send 1 0 8", &a, &e), OK);
  assert_int_equal(a->type, DATATYPE_DOUBLE);
  assert_int_equal(parse(&r, "0 init", &a, &e), OK);
  assert_int_equal(parse(&r, "0 send 1 0 8", &a, &e), OK);
  assert_int_equal(a->type, DATATYPE_BYTE);
}

static void nothing_follows_finalize(void **state)
{
  (void)state;
  struct action_reader r = {.ranks = RANKS, .members = RANKS, .source = ACTION_ANY_SOURCE};
  const struct action *a;
  struct err e;
  assert_int_equal(parse(&r, "0 finalize", &a, &e), OK);
  assert_int_equal(parse(&r, "0 compute 1", &a, &e), FAIL);
  assert_string_equal(e.text, "action 'compute' after finalize");
}

static void locations_are_skipped(void **state)
{
  (void)state;
  struct action_reader r = {.ranks = RANKS, .members = RANKS, .source = ACTION_ANY_SOURCE};
  const struct action *a = &r.action;
  struct err e;
  assert_int_equal(parse(&r, "0 location cg.f 12", &a, &e), OK);
  assert_null(a);
}

/* Each type has the size stated for it. */
static void derived_types_have_sizes(void **state)
{
  (void)state;
  struct action_type types[] = {{-1, 12}, {60, 1u << 30}};
  struct action_reader r = {.ranks = RANKS, .members = RANKS, .type = types, .types = 2};
  static const struct reading ROWS[] = {
      {"0 send 1 2 8 -1",
       {.kind = ACTION_SEND, .partner = 1, .tag = 2, .count = 8, .type = -1, .derived = 12}},
      {"0 sendRecv 5 2 6 1 60 0",
       {.kind = ACTION_SENDRECV,
        .count = 5,
        .partner = 2,
        .count2 = 6,
        .source = 1,
        .type = 60,
        .derived = 1u << 30}},
      {"0 ialltoall 7 8 1 -1",
       {.kind = NONBLOCKING(ALLTOALL),
        .count = 7,
        .count2 = 8,
        .type = 1,
        .type2 = -1,
        .derived2 = 12}},
      {"0 bcast 8192 0 60", {.kind = ACTION_BCAST, .count = 8192, .type = 60, .derived = 1u << 30}},
  };
  static const struct refusal BAD[] = {
      {"0 bcast 8193 0 60",
       "bcast: 8193 elements of 1073741824 bytes: more than 8796093022208 bytes"},
      {"0 alltoallv 4 1 1 1 1 4 1 8193 1 1 60 60",
       "alltoallv: 8193 elements of 1073741824 bytes: more than 8796093022208 bytes"},
      {"0 bcast 1 0 61", "bcast: no datatype has the number 61"},
  };
  const struct action *a;
  struct err e;
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    memset(&r.action, 0xff, sizeof r.action);
    assert_int_equal(parse(&r, ROWS[i].line, &a, &e), OK);
    assert_action(a, &ROWS[i].want);
  }
  assert_int_equal(action_size(a), 1u << 30);
  for (size_t i = 0; i < COUNT(BAD); i++) {
    assert_int_equal(parse(&r, BAD[i].line, &a, &e), FAIL);
    assert_string_equal(e.text, BAD[i].why);
  }
  free(r.counts);
}

/* With one rank, the number of arguments does not tell displacements from datatypes: datatypes
 * come first. */
static void allgatherv_of_one_rank(void **state)
{
  (void)state;
  static const char *const LINES[] = {"0 allgatherv 7 7 1 2", "0 allgatherv 7 7 1 2 0"};
  for (size_t i = 0; i < COUNT(LINES); i++) {
    struct action_reader r = {.ranks = 1, .members = 1};
    const struct action *a;
    struct err e;
    assert_int_equal(parse(&r, LINES[i], &a, &e), OK);
    assert_int_equal(a->type, 1);
    assert_int_equal(a->type2, 2);
    free(r.counts);
  }
}

static void every_kind_has_a_name(void **state)
{
  (void)state;
  for (enum action_kind k = 0; k < ACTION_KINDS; k++)
    assert_non_null(action_name(k));
  assert_string_equal(action_name(ACTION_SENDRECV), "sendRecv");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_actions_are_refused),
      cmocka_unit_test(each_form_is_read),
      cmocka_unit_test(an_action_begins_with_zeros),
      cmocka_unit_test(the_arguments_of_init_decide_the_default_datatype),
      cmocka_unit_test(nothing_follows_finalize),
      cmocka_unit_test(locations_are_skipped),
      cmocka_unit_test(allgatherv_of_one_rank),
      cmocka_unit_test(every_kind_has_a_name),
      cmocka_unit_test(derived_types_have_sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

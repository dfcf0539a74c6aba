/* Collectives on communicators, from the text of a trace to operations. */
#include "traces/collectives/call.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/traces/lowered_text.h"
#include "traces/program/program.h"

/* Communicator 1 has ranks 2 and 0, communicator 2 has ranks 2 and 1.  ON(C, LINE): a line on
 * communicator C. */
#define ROW0        "# haichi: comm 1 2 0\n0 init\n"
#define ROW1        "# haichi: comm 2 2 1\n1 init\n"
#define ROW2        "# haichi: comm 1 2 0\n# haichi: comm 2 2 1\n2 init\n"
#define BEGIN       ROW0 ROW1 ROW2
#define ON(C, LINE) "# haichi: on " #C "\n" LINE "\n"

static const struct {
  const char *text, *error;
} CASES[] = {
    {BEGIN, NULL},
    {BEGIN ON(1, "0 barrier") ON(1, "2 barrier"), NULL},
    {BEGIN ON(1, "0 barrier") ON(2, "1 bcast 8") ON(1, "2 barrier") ON(2, "2 bcast 8"), NULL},
    {BEGIN ON(1, "0 bcast 8") ON(2, "1 bcast 9") ON(1, "2 bcast 8") ON(2, "2 bcast 9"), NULL},
    {BEGIN ON(1, "0 bcast 8") "0 barrier\n" ON(1, "2 bcast 8") "2 barrier\n1 barrier\n", NULL},
    {BEGIN ON(1, "0 gatherv 5 0 0") ON(1, "2 gatherv 8 8 5"), NULL},
    {BEGIN ON(1, "0 gatherv 6 0 0") ON(1, "2 gatherv 8 8 5"),
     "in this gatherv on communicator 1 the sizes that ranks send differ from those that others "
     "receive (first called by rank 0, line 9)"},
    {BEGIN ON(1, "0 barrier") ON(1, "2 bcast 8"),
     ":11: rank 2 calls bcast where rank 0 calls barrier on communicator 1 (line 9)"},
    {BEGIN ON(1, "0 bcast 8 0") ON(1, "2 bcast 8 1"),
     ":11: rank 2 calls bcast with root 1, rank 0 with root 0 on communicator 1 (line 9)"},
    {BEGIN ON(1, "0 barrier") "2 barrier\n1 barrier\n", ":11: rank 1 calls barrier, but rank 0"},
    {BEGIN ON(1, "0 barrier"), ":9: rank 0 calls barrier on communicator 1, but rank 2 never does"},
    {BEGIN ON(2, "1 barrier") ON(1, "2 barrier"),
     "rank 2 calls barrier on communicator 1, but rank 0 never does"},
};

static void members_must_agree(void **state)
{
  (void)state;
  static const struct collectives DEFAULTS;
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct lowered_text f;
    struct err e = {""};
    lowered_text_open(&f, CASES[i].text, &DEFAULTS);
    const enum status s = lowered_text_run(f.program, &e);
    if ((s == OK) != (CASES[i].error == NULL) ||
        (CASES[i].error != NULL && strstr(e.text, CASES[i].error) == NULL))
      fail_msg("case %zu: %s: %s", i, CASES[i].text, e.text);
    lowered_text_close(&f);
  }
}

/* The messages of a rank as "kind peer bytes;". */
static void messages(struct program *p, uint32_t rank, char *text, size_t size)
{
  struct op op;
  struct err e;
  bool more = true;
  *text = '\0';
  while (program_next(p, rank, &op, &more, &e) == OK && more)
    if (op.kind == OP_SEND || op.kind == OP_RECV) {
      const size_t n = strlen(text);
      snprintf(text + n, size - n, "%c%u %u;", op.kind == OP_SEND ? 's' : 'r', op.peer,
               (unsigned)op.bytes);
    }
}

static void messages_go_to_members(void **state)
{
  (void)state;
  static const struct {
    const char *choice, *text;
    const char *want[3];
  } ROWS[] = {
      {NULL, BEGIN ON(1, "0 bcast 8 0") ON(1, "2 bcast 8 0"), {"r2 8;", "", "s0 8;"}},
      {NULL, BEGIN ON(1, "0 bcast 8 1") ON(1, "2 bcast 8 1"), {"s2 8;", "", "r0 8;"}},
      {"alltoall=pair",
       BEGIN ON(2, "1 alltoall 8 8") ON(2, "2 alltoall 8 8"),
       {"", "s2 8;r2 8;", "s1 8;r1 8;"}},
      {NULL, BEGIN ON(1, "0 gatherv 5 0 0") ON(1, "2 gatherv 8 8 5"), {"s2 5;", "", "r0 5;"}},
      {NULL, BEGIN "0 bcast 8\n1 bcast 8\n2 bcast 8\n", {"s2 8;s1 8;", "r0 8;", "r0 8;"}},
      /* nonblocking, in the order of smpi_nbc_impl.cpp */
      {NULL, BEGIN "0 ibcast 8 1\n1 ibcast 8 1\n2 ibcast 8 1\n", {"r1 8;", "s0 8;s2 8;", "r1 8;"}},
      {NULL,
       BEGIN "0 ibarrier\n1 ibarrier\n2 ibarrier\n",
       {"r1 0;s1 0;r2 0;s2 0;", "s0 0;r0 0;", "s0 0;r0 0;"}},
      {NULL,
       BEGIN "0 ialltoall 8 8\n1 ialltoall 8 8\n2 ialltoall 8 8\n",
       {"r1 8;r2 8;s2 8;s1 8;", "r2 8;r0 8;s0 8;s2 8;", "r0 8;r1 8;s1 8;s0 8;"}},
      {NULL,
       BEGIN "0 ireducescatter 1 2 3 0\n1 ireducescatter 1 2 3 0\n2 ireducescatter 1 2 3 0\n",
       {"s1 2;r1 1;s2 3;r2 1;", "s0 1;r0 2;s2 3;r2 2;", "s0 1;r0 3;s1 2;r1 3;"}},
      {NULL,
       BEGIN "0 iscatterv 0 0 0 4 2\n1 iscatterv 0 0 0 5 2\n2 iscatterv 4 5 6 6 2\n",
       {"r2 4;", "r2 5;", "s0 4;s1 5;"}},
      {NULL, BEGIN ON(1, "0 iscan 8 0") ON(1, "2 iscan 8 0"), {"r2 8;", "", "s0 8;"}},
      {NULL,
       BEGIN "0 alltoallw 9 1 2 9 3 5\n1 alltoallw 3 9 4 1 9 6\n2 alltoallw 5 6 9 2 4 9\n",
       {"r1 3;r2 5;s1 1;s2 2;", "r0 1;r2 6;s0 3;s2 4;", "r0 2;r1 4;s0 5;s1 6;"}},
  };
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    struct collectives c = {.host = NULL};
    struct lowered_text f;
    struct err e;
    char text[128];
    if (ROWS[i].choice != NULL)
      assert_int_equal(collectives_set(&c, ROWS[i].choice, &e), OK);
    lowered_text_open(&f, ROWS[i].text, &c);
    for (uint32_t rank = 0; rank < 3; rank++) {
      messages(f.program, rank, text, sizeof text);
      assert_string_equal(text, ROWS[i].want[rank]);
    }
    lowered_text_close(&f);
  }
}

/* A message on one communicator does not match a receive on another one between the same ranks. */
static void tags_distinguish_communicators(void **state)
{
  (void)state;
  static const struct collectives DEFAULTS;
  static const char TEXT[] = "# haichi: comm 9 0 1\n# haichi: comm 4 0 1\n"
                             "0 bcast 8\n" ON(9, "0 bcast 8") ON(4, "0 bcast 8")
                                 ON(4, "0 scan 8 0") "# haichi: comm 4 0 1\n# haichi: comm 9 0 1\n"
                                                     "1 bcast 8\n" ON(4, "1 bcast 8")
                                                         ON(4, "1 scan 8 0") ON(9, "1 bcast 8");
  struct lowered_text f;
  struct op op;
  struct err e;
  bool more = true;
  int32_t sent[4], received[4];
  int sends = 0, recvs = 0;
  lowered_text_open(&f, TEXT, &DEFAULTS);
  while (assert_int_equal(program_next(f.program, 0, &op, &more, &e), OK), more)
    if (op.kind == OP_SEND)
      sent[sends++] = op.tag;
  more = true;
  while (assert_int_equal(program_next(f.program, 1, &op, &more, &e), OK), more)
    if (op.kind == OP_RECV)
      received[recvs++] = op.tag;
  assert_int_equal(sends, 4);
  assert_int_equal(recvs, 4);
  static const int MATCH[4] = {0, 2, 3, 1};
  for (int i = 0; i < 4; i++) {
    assert_true(sent[i] < 0);
    assert_int_equal(received[i], sent[MATCH[i]]);
    for (int k = 0; k < i; k++)
      assert_int_not_equal(sent[i], sent[k]);
  }
  assert_int_equal(program_collectives(f.program, 0), 4);
  lowered_text_close(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(members_must_agree),
      cmocka_unit_test(messages_go_to_members),
      cmocka_unit_test(tags_distinguish_communicators),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "traces/files/spool.h"
#include "traces/generators/generator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/count.h"
#include "traces/matrix/matrix.h"

/* Encodes the place in the flops of a computation: part, iteration and step. */
static void fill(const struct generator *g, const struct generator_place *at, struct emit *out)
{
  (void)g;
  if (at->part != GENERATOR_MIDDLE) /* a block may be empty */
    emit_compute(out, 100 * (at->part + 1) + 10 * at->iteration + at->step);
}

static void blocks_come_in_order_with_marks(void **state)
{
  (void)state;
  const struct generator g = {.ranks = 1,
                              .head = 2,
                              .warmup = 1,
                              .middle = 1,
                              .loop = 2,
                              .iterations = 2,
                              .tail = 1,
                              .fill = fill};
  static const struct action WANT[] = {
      {.kind = ACTION_INIT},
      {.kind = ACTION_COMPUTE, .amount = 100},
      {.kind = ACTION_COMPUTE, .amount = 101},
      {.kind = ACTION_COMPUTE, .amount = 200},
      {.kind = ACTION_MARK, .count = 1},
      {.kind = ACTION_COMPUTE, .amount = 410},
      {.kind = ACTION_COMPUTE, .amount = 411},
      {.kind = ACTION_MARK, .count = 2},
      {.kind = ACTION_COMPUTE, .amount = 420},
      {.kind = ACTION_COMPUTE, .amount = 421},
      {.kind = ACTION_MARK, .count = ACTION_MARK_END},
      {.kind = ACTION_COMPUTE, .amount = 500},
      {.kind = ACTION_FINALIZE},
  };
  struct err e;
  struct emit out = {.err = &e};
  assert_int_equal(generator_blocks(&g), 9);
  for (uint64_t b = 0; b < 9; b++) {
    assert_int_equal(generator_in_iteration(&g, b, 1), b == 4 || b == 5);
    generator_fill(&g, b, &out);
  }
  assert_int_equal(out.status, OK);
  assert_int_equal(out.count, COUNT(WANT));
  for (size_t i = 0; i < COUNT(WANT); i++) {
    assert_int_equal(out.action[i].kind, WANT[i].kind);
    assert_int_equal(out.action[i].count, WANT[i].count);
    assert_true(out.action[i].amount == WANT[i].amount);
  }
  emit_clear(&out);
}

static void names_with_a_colon_are_specs(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    bool spec;
  } CASES[] = {{"npb:", true},  {"npb:cg.A.4", true}, {"ring:3", true},
               {"ring", false}, {"rin:3", false},     {"rings:3", false},
               {"", false},     {":", false},         {"./ring:3", false}};
  for (size_t i = 0; i < COUNT(CASES); i++)
    assert_int_equal(generator_is_spec(CASES[i].text), CASES[i].spec);
}

/* --- streams ---------------------------------------------------------------------------------- */

static const char *const SPECS[] = {
    "npb:cg.S.1",
    "npb:cg.S.8@1",
    "npb:cg.W.16@2",
    "npb:ep.S.5",
    "npb:is.S.8",
    "npb:is.S.128@3",
    "npb:bt.S.1@1",
    "npb:bt.S.9@3",
    "npb:sp.S.16@2",
    "npb:ft.S.8@3",
    "npb:ft.S.128@2",
    "npb:lu.S.2@1",
    "npb:lu.S.2@2",
    "npb:lu.S.12@3",
    "npb:mg.S.1@2",
    "npb:mg.S.2@2",
    "npb:mg.S.64@3",
    "npb:mg.S.1024@1",
    "stencil:3x4",
    "stencil:1x5x2:points=27,periodic,iterations=3",
    "stencil:2x2x2x2:points=81,periodic",
    "ring:1",
    "ring:7:iterations=0",
    "butterfly:16:iterations=2",
    "alltoall:50:weights=random",
    "random:40:degree=20,weights=random,compute=5",
    "geometric:90:degree=40,dimensions=3,iterations=2",
    "pingpong:5:iterations=3,compute=2",
};

/* Sums of hashes of pair and tag, which are equal if each send has a receive. */
struct balance {
  uint64_t sent, received;
  int64_t open; /* requests */
};

static uint64_t mix(uint64_t src, uint64_t dst, uint64_t tag)
{
  uint64_t x = (src << 40 | dst << 20 | tag) * 0x9e3779b97f4a7c15u;
  x ^= x >> 31;
  return x * 0xbf58476d1ce4e5b9u;
}

static void weigh(struct balance *b, uint32_t rank, const struct action *a)
{
  const uint32_t peer = (uint32_t)a->partner, tag = (uint32_t)a->tag;
  switch (a->kind) {
  case ACTION_SEND:
  case ACTION_ISEND:
    b->sent += mix(rank, peer, tag);
    b->open += a->kind == ACTION_ISEND;
    break;
  case ACTION_RECV:
  case ACTION_IRECV:
    b->received += mix(peer, rank, tag);
    b->open += a->kind == ACTION_IRECV;
    break;
  case ACTION_WAIT:
    b->open--;
    break;
  case ACTION_WAITALL:
    assert_int_equal(a->count, b->open);
    b->open = 0;
    break;
  default:
    break;
  }
}

static void sends_receives_and_waits_match(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(SPECS); i++) {
    struct trace *t;
    struct err e;
    struct balance b = {0};
    assert_int_equal(trace_open(&t, SPECS[i], SPOOL_LIMIT, &e), OK);
    for (uint32_t rank = 0; rank < trace_ranks(t); rank++) {
      const struct action *a;
      while (assert_int_equal(trace_next(t, rank, &a, &e), OK), a != NULL)
        weigh(&b, rank, a);
      assert_int_equal(b.open, 0);
      assert_int_equal(trace_next(t, rank, &a, &e), OK);
      assert_null(a);
    }
    if (b.sent != b.received)
      fail_msg("%s: what is sent is not what is received", SPECS[i]);
    trace_free(t);
  }
}

static void count_single(struct matrix *m, struct trace *t)
{
  const struct collectives defaults = {0};
  struct program *p;
  struct err e;
  assert_int_equal(program_new(&p, t, &defaults, &e), OK);
  assert_int_equal(matrix_from_program(m, p, false, &e), OK);
  program_free(p);
}

static void count_actions(uint64_t *actions, struct trace *t)
{
  memset(actions, 0, ACTION_KINDS * sizeof *actions);
  for (uint32_t rank = 0; rank < trace_ranks(t); rank++) {
    const struct action *a;
    struct err e;
    while (assert_int_equal(trace_next(t, rank, &a, &e), OK), a != NULL)
      actions[a->kind] += a->kind == ACTION_MARK ? 0 : trace_weight(t, rank);
  }
}

/* Counts the sends individually, without trace_single_iteration(). */
static void count_all(uint64_t *messages, uint64_t *bytes, struct trace *t)
{
  const struct collectives defaults = {0};
  struct program *p;
  struct err e;
  trace_rewind(t);
  assert_int_equal(program_new(&p, t, &defaults, &e), OK);
  *messages = *bytes = 0;
  for (uint32_t rank = 0; rank < program_ranks(p); rank++) {
    struct op op;
    bool more;
    while (assert_int_equal(program_next(p, rank, &op, &more, &e), OK), more) {
      *messages += op.kind == OP_SEND;
      *bytes += op.kind == OP_SEND ? op.bytes : 0;
      assert_int_equal(program_weight(p, rank), 1);
    }
  }
  assert_int_equal(program_finish(p, &e), OK);
  program_free(p);
}

static void a_single_iteration_changes_no_count(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(SPECS); i++) {
    struct trace *t;
    struct matrix m;
    struct err e;
    uint64_t messages, bytes;
    assert_int_equal(trace_open(&t, SPECS[i], SPOOL_LIMIT, &e), OK);
    count_single(&m, t);
    count_all(&messages, &bytes, t);
    for (size_t k = 0; k < m.count; k++) {
      messages -= m.entry[k].messages;
      bytes -= m.entry[k].bytes;
    }
    if (messages != 0 || bytes != 0)
      fail_msg("%s: with a single iteration, %lld messages and %lld bytes are missing", SPECS[i],
               (long long)messages, (long long)bytes);
    matrix_clear(&m);
    trace_free(t);
  }
}

static void a_single_iteration_changes_no_action(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(SPECS); i++) {
    struct trace *t;
    struct err e;
    uint64_t all[ACTION_KINDS], single[ACTION_KINDS];
    assert_int_equal(trace_open(&t, SPECS[i], SPOOL_LIMIT, &e), OK);
    count_actions(all, t);
    trace_single_iteration(t);
    count_actions(single, t);
    assert_memory_equal(all, single, sizeof all);
    trace_rewind(t);
    count_actions(single, t);
    assert_memory_equal(all, single, sizeof all);
    trace_free(t);
  }
}

static void only_equal_iterations_are_folded(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    uint64_t most; /* weight */
  } CASES[] = {{"npb:cg.S.4@9", 10} /* with the warm-up */,
               {"npb:is.S.4@9", 1},
               {"npb:lu.S.4@9", 8},
               {"ring:4:iterations=7", 7}};
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct trace *t;
    struct err e;
    const struct action *a;
    uint64_t most = 0;
    assert_int_equal(trace_open(&t, CASES[i].spec, SPOOL_LIMIT, &e), OK);
    trace_single_iteration(t);
    while (assert_int_equal(trace_next(t, 0, &a, &e), OK), a != NULL)
      if (trace_weight(t, 0) > most)
        most = trace_weight(t, 0);
    assert_int_equal(trace_weight(t, 0), 1); /* of finalize */
    assert_int_equal(most, CASES[i].most);
    trace_free(t);
  }
}

static void streams_can_be_rewound_and_count_actions(void **state)
{
  (void)state;
  struct trace *t;
  struct err e;
  const struct action *a, *b;
  assert_int_equal(trace_open(&t, "ring:3:iterations=2,compute=1", SPOOL_LIMIT, &e), OK);
  assert_string_equal(trace_name(t), "ring:3:iterations=2,compute=1");
  assert_string_equal(trace_file(t, 2), "ring:3:iterations=2,compute=1");
  for (uint64_t n = 1; n <= 4; n++) {
    assert_int_equal(trace_next(t, 2, &a, &e), OK);
    assert_int_equal(trace_line(t, 2), n);
  }
  assert_int_equal(a->kind, ACTION_IRECV); /* init, mark, compute, irecv */
  assert_int_equal(a->partner, 1);
  trace_rewind(t);
  assert_int_equal(trace_line(t, 2), 0);
  assert_int_equal(trace_next(t, 2, &b, &e), OK);
  assert_int_equal(b->kind, ACTION_INIT);
  trace_free(t);
}

static void a_failed_emit_drops_the_rest(void **state)
{
  (void)state;
  struct err e;
  struct emit out = {.err = &e, .rank = 3};
  emit_send(&out, 1, 2, 3, EMIT_INT);
  out.status = FAIL;
  emit_barrier(&out);
  assert_null(emit_counts(&out, 4));
  assert_int_equal(out.count, 1);
  assert_int_equal(out.action[0].partner, 1);
  emit_clear(&out);
  assert_int_equal(out.rank, 3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_come_in_order_with_marks),
      cmocka_unit_test(names_with_a_colon_are_specs),
      cmocka_unit_test(sends_receives_and_waits_match),
      cmocka_unit_test(a_single_iteration_changes_no_count),
      cmocka_unit_test(a_single_iteration_changes_no_action),
      cmocka_unit_test(only_equal_iterations_are_folded),
      cmocka_unit_test(streams_can_be_rewound_and_count_actions),
      cmocka_unit_test(a_failed_emit_drops_the_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

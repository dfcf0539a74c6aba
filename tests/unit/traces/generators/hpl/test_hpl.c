#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "traces/files/spool.h"
#include "traces/trace.h"

/* A side of a message: the bytes of messages between two ranks with one tag, in order. */
struct side {
  uint32_t src, dst, order;
  int32_t tag;
  int64_t bytes;
};

struct sides {
  struct side *side;
  size_t count;
};

enum { MOST = 1 << 16 };

static void add(struct sides *s, uint32_t src, uint32_t dst, const struct action *a)
{
  assert_true(s->count < MOST);
  s->side[s->count] = (struct side){src, dst, (uint32_t)s->count, a->tag, a->count};
  s->count++;
}

static void take(struct sides *sent, struct sides *received, uint32_t rank, const struct action *a)
{
  const uint32_t partner = (uint32_t)a->partner;
  switch (a->kind) {
  case ACTION_SEND:
  case ACTION_ISEND:
    add(sent, rank, partner, a);
    break;
  case ACTION_RECV:
  case ACTION_IRECV:
    add(received, partner, rank, a);
    break;
  case ACTION_RELAY:
    add(received, partner, rank, a);
    if (a->source != ACTION_NOBODY)
      add(sent, rank, (uint32_t)a->source, a);
    break;
  default:
    break;
  }
}

static int by_pair(const void *a, const void *b)
{
  const struct side *x = a, *y = b;
  if (x->src != y->src)
    return x->src < y->src ? -1 : 1;
  if (x->dst != y->dst)
    return x->dst < y->dst ? -1 : 1;
  if (x->tag != y->tag)
    return x->tag < y->tag ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

/* Each message that is sent is received, with the same size, in the same order. */
static void check(const char *spec)
{
  struct trace *t;
  struct err e;
  const struct action *a;
  struct sides sent = {calloc(MOST, sizeof *sent.side), 0},
               received = {calloc(MOST, sizeof *received.side), 0};
  if (trace_open(&t, spec, SPOOL_LIMIT, &e) != OK)
    fail_msg("%s", e.text);
  for (uint32_t r = 0; r < trace_ranks(t); r++)
    while (assert_int_equal(trace_next(t, r, &a, &e), OK), a != NULL)
      take(&sent, &received, r, a);
  trace_free(t);
  if (sent.count != received.count)
    fail_msg("%s: %zu sent, %zu received", spec, sent.count, received.count);
  qsort(sent.side, sent.count, sizeof *sent.side, by_pair);
  qsort(received.side, received.count, sizeof *received.side, by_pair);
  for (size_t i = 0; i < sent.count; i++) {
    const struct side *x = &sent.side[i], *y = &received.side[i];
    if (x->src != y->src || x->dst != y->dst || x->tag != y->tag || x->bytes != y->bytes)
      fail_msg("%s: message %zu: %u to %u, tag %d, %d and %d doubles", spec, i, x->src, x->dst,
               x->tag, (int)x->bytes, (int)y->bytes);
  }
  free(sent.side);
  free(received.side);
}

static void sends_and_receives_match(void **state)
{
  (void)state;
  static const char *const GRID[] = {"P=1,Q=1", "P=1,Q=2", "P=2,Q=1", "P=3,Q=2", "P=2,Q=5",
                                     "P=7,Q=3", "P=6,Q=4", "P=1,Q=9", "P=5,Q=1", "P=4,Q=4"};
  char spec[256];
  for (size_t g = 0; g < sizeof GRID / sizeof *GRID; g++)
    for (int bcast = 0; bcast < 6; bcast++)
      for (int swap = 0; swap < 3; swap++)
        for (int depth = 0; depth < 4; depth++) {
          snprintf(spec, sizeof spec, "hpl:N=%d,NB=5,%s,bcast=%d,swap=%d,depth=%d,threshold=8%s",
                   37 + depth, GRID[g], bcast, swap, depth, bcast % 2 ? ",no-equil" : "");
          check(spec);
        }
}

static void variants_send_equal_traffic(void **state)
{
  (void)state;
  static const char *const FACTOR[] = {"left", "crout", "right"};
  char spec[256];
  for (int p = 0; p < 3; p++)
    for (int r = 0; r < 3; r++)
      for (int nbmin = 1; nbmin < 5; nbmin++) {
        snprintf(
            spec, sizeof spec,
            "hpl:N=40,NB=9,P=3,Q=2,pfact=%s,rfact=%s,nbmin=%d,ndiv=%d,pmap=column,pivots=matrix",
            FACTOR[p], FACTOR[r], nbmin, 2 + nbmin % 2);
        check(spec);
      }
}

/* Without a table, the computations are 2/3 N^3 flops in leading order. */
static void flops_agree_with_a_factorisation(void **state)
{
  (void)state;
  struct trace *t;
  struct err e;
  const struct action *a;
  const double n = 1000;
  double sum = 0;
  assert_int_equal(trace_open(&t, "hpl:N=1000,NB=20,P=2,Q=2,depth=0", SPOOL_LIMIT, &e), OK);
  for (uint32_t r = 0; r < trace_ranks(t); r++)
    while (assert_int_equal(trace_next(t, r, &a, &e), OK), a != NULL)
      sum += a->kind == ACTION_COMPUTE ? a->amount : 0;
  trace_free(t);
  assert_true(sum > 0.98 * 2 / 3 * n * n * n && sum < 1.10 * 2 / 3 * n * n * n);
}

static void bad_specs_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *spec, *want;
  } rows[] = {
      {"hpl:NB=4,P=1,Q=1", "N"},
      {"hpl:N=4,NB=4,P=0,Q=1", "P"},
      {"hpl:N=8,NB=8,P=1,Q=2", "N=8 is not above depth x NB = 8"},
      {"hpl:N=90000,P=1,Q=1,pivots=matrix", "pivots=matrix: N=90000 is above"},
      {"hpl:N=90000,P=1025,Q=1024", "1025 x 1024 ranks: more than 1048576"},
      {"hpl:N=90,NB=4,P=1,Q=1,bcast=6", "6 is above the maximum of 5"},
      {"hpl:N=90,NB=4,P=1,Q=1,kernels=/nonexistent", "/nonexistent"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct trace *t;
    struct err e = {""};
    assert_int_equal(trace_open(&t, rows[i].spec, SPOOL_LIMIT, &e), FAIL);
    if (strstr(e.text, rows[i].want) == NULL)
      fail_msg("'%s', not '%s'", e.text, rows[i].want);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sends_and_receives_match),
      cmocka_unit_test(variants_send_equal_traffic),
      cmocka_unit_test(flops_agree_with_a_factorisation),
      cmocka_unit_test(bad_specs_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

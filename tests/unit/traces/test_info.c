#include "traces/files/spool.h"
#include "traces/info.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/scratch.h"

static void assert_traffic(const struct info_traffic *t, uint64_t messages, uint64_t bytes,
                           uint64_t pairs)
{
  assert_int_equal(t->messages, messages);
  assert_int_equal(t->bytes, bytes);
  assert_int_equal(t->pairs, pairs);
  assert_true(t->pair_share == (double)pairs / 6);
}

static void the_toy_is_summed_up(void **state)
{
  (void)state;
  const struct collectives defaults = {0};
  struct trace *t;
  struct info info;
  struct err e;
  assert_int_equal(trace_open(&t, "tests/data/toy/index.txt", SPOOL_LIMIT, &e), OK);
  /* Twice, because reading starts at the beginning wherever the trace is. */
  for (int i = 0; i < 2; i++) {
    assert_int_equal(info_read(&info, t, &defaults, &e), OK);
    assert_int_equal(info.ranks, 4);
    assert_int_equal(info.actions, 4 * 7 + 3);
    assert_int_equal(info.kind[ACTION_ISEND], 5);
    assert_int_equal(info.kind[ACTION_WAITALL], 1);
    assert_int_equal(info.kind[ACTION_BCAST], 4);
    /* A ring of 4, and a message of a rank to itself, which is not a pair. */
    assert_traffic(&info.p2p, 5, 1600, 4);
    /* The broadcast goes 0-2, 0-1 and 2-3. */
    assert_traffic(&info.all, 8, 1840, 5);
  }
  trace_free(t);
}

/* Ranks 0 and 1 exchange messages, 3 sends to 2, and 2 sends to itself: two of six pairs. */
static void a_pair_counts_once(void **state)
{
  (void)state;
  static const char text[] = "0 init\n0 send 1 0 1 6\n0 recv 1 0 1 6\n0 finalize\n"
                             "1 init\n1 recv 0 0 1 6\n1 send 0 0 1 6\n1 finalize\n"
                             "2 init\n2 isend 2 0 1 6\n2 recv 2 0 1 6\n2 recv 3 0 1 6\n"
                             "2 waitall 1\n2 finalize\n"
                             "3 init\n3 send 2 0 1 6\n3 finalize\n";
  const struct scratch_file f = scratch_file(text, sizeof text - 1);
  const struct collectives defaults = {0};
  struct trace *t;
  struct info info;
  struct err e;
  assert_int_equal(trace_open(&t, f.path, SPOOL_LIMIT, &e), OK);
  assert_int_equal(info_read(&info, t, &defaults, &e), OK);
  assert_traffic(&info.p2p, 4, 4, 2);
  trace_free(t);
  scratch_close(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_toy_is_summed_up),
      cmocka_unit_test(a_pair_counts_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The check of the messages of recorded traces: counts, and memory under clocks of unequal speed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "traces/recorded/exchange.h"

enum { ROUNDS = 20000, SLOW = 100, LATENCY = 10 };

/* Ranks 0 and 1 send to each other in turn.  A call takes SLOW ticks by the clock of rank 0, and @p
 * fast ticks by the clock of rank 1, which starts at @p start. */
static void write_pair(struct records *r, uint64_t start, uint64_t fast)
{
  struct err e;
  *r = (struct records){0};
  assert_int_equal(records_init(r, 2, &e), OK);
  for (uint32_t rank = 0; rank < 2; rank++) {
    const uint64_t first = rank == 0 ? 0 : start, step = rank == 0 ? SLOW : fast;
    records_begin(r, rank, first);
    for (uint64_t k = 0; k < 2 * ROUNDS; k++) {
      const bool sends = k % 2 == rank;
      const struct record x = {.ticks = first + k * step + (sends ? 0 : LATENCY),
                               .place = k,
                               .kind = sends ? ACTION_SEND : ACTION_RECV,
                               .partner = 1 - (int32_t)rank,
                               .sent = 8};
      assert_int_equal(records_put(r, &x, &e), OK);
    }
    records_end(r);
  }
  assert_int_equal(scratch_flush(&r->file, &e), OK);
}

static void check(struct exchange *x, uint64_t start, uint64_t fast)
{
  struct records r;
  struct err e;
  write_pair(&r, start, fast);
  assert_int_equal(exchange_check(x, &r, true, &e), OK);
  records_clear(&r);
  assert_int_equal(x->messages, 2 * ROUNDS);
  assert_int_equal(x->unsent + x->unreceived + x->misfits, 0);
  assert_in_range(x->waiting, 1, 4);
}

static void equal_clocks_receive_after_they_send(void **state)
{
  struct exchange x;
  (void)state;
  check(&x, 0, SLOW);
  assert_int_equal(x.backward, 0);
  assert_null(x.shift);
}

static void another_start_is_shifted(void **state)
{
  struct exchange x;
  (void)state;
  check(&x, 500000, SLOW);
  assert_int_equal(x.backward, ROUNDS);
  assert_int_equal(x.largest, 500000 - LATENCY);
  assert_non_null(x.shift);
  assert_int_equal(x.shift[0], 500000 - LATENCY);
  assert_int_equal(x.shift[1], 0);
  free(x.shift);
}

static void few_messages_wait_when_clocks_drift(void **state)
{
  struct exchange x;
  (void)state;
  check(&x, 0, 3 * SLOW);
  assert_true(x.backward > ROUNDS / 2);
  check(&x, 700, SLOW / 2);
  assert_true(x.backward > ROUNDS / 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_clocks_receive_after_they_send),
      cmocka_unit_test(another_start_is_shifted),
      cmocka_unit_test(few_messages_wait_when_clocks_drift),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

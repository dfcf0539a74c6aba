#include "mappers/greedy/rankheap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/rng.h"

enum { RANKS = 50 };

/* The rank that comes out next: the greatest key of those that are in, the lowest rank. */
static uint32_t next_by_search(const uint64_t *key, const bool *in)
{
  uint32_t best = RANKS;
  for (uint32_t r = 0; r < RANKS; r++)
    if (in[r] && (best == RANKS || key[r] > key[best]))
      best = r;
  return best;
}

static void the_greatest_comes_first_and_ties_go_to_the_lower_rank(void **state)
{
  (void)state;
  struct rankheap h = {0};
  struct err e;
  struct rng rng = rng_new(1, 0);
  uint64_t key[RANKS] = {0};
  bool in[RANKS] = {false};
  size_t count = 0;
  assert_int_equal(rankheap_new(&h, RANKS, &e), OK);
  for (int i = 0; i < 20000; i++) {
    uint32_t rank = (uint32_t)rng_below(&rng, RANKS), got = RANKS;
    if (rng_below(&rng, 3) != 0) {
      const uint64_t amount = rng_below(&rng, 3);
      rankheap_add(&h, rank, amount);
      key[rank] += amount;
      count += !in[rank];
      in[rank] = true;
    } else {
      const uint32_t want = next_by_search(key, in);
      assert_int_equal(rankheap_pop(&h, &got), want != RANKS);
      assert_int_equal(got, want);
      count -= want != RANKS;
      if (want != RANKS)
        in[want] = false;
    }
    assert_int_equal(h.count, count);
  }
  rankheap_clear(&h);
  rankheap_clear(&h);
}

static void keys_take_all_64_bits(void **state)
{
  (void)state;
  struct rankheap h = {0};
  struct err e;
  uint32_t rank;
  assert_int_equal(rankheap_new(&h, 3, &e), OK);
  assert_false(rankheap_pop(&h, &rank));
  rankheap_add(&h, 0, UINT64_MAX - 1);
  rankheap_add(&h, 2, UINT64_MAX);
  rankheap_add(&h, 1, 1);
  assert_true(rankheap_pop(&h, &rank));
  assert_int_equal(rank, 2);
  assert_true(rankheap_pop(&h, &rank));
  assert_int_equal(rank, 0);
  rankheap_clear(&h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_greatest_comes_first_and_ties_go_to_the_lower_rank),
      cmocka_unit_test(keys_take_all_64_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

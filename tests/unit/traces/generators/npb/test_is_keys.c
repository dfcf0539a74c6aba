#include "traces/generators/npb/is_keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* Each key uses the next four numbers of x' = 5^13 x mod 2^46, starting from 314159265. */
static void keys_agree_with_the_stream_of_npb(void **state)
{
  (void)state;
  uint64_t x = 314159265, sum = 0;
  for (int i = 0; i < 8; i++) {
    x = (uint64_t)((unsigned __int128)x * 1220703125 & ((UINT64_C(1) << 46) - 1));
    sum += x;
    if (i % 4 < 3)
      continue;
    struct is_keys k = is_keys_from((uint64_t)i / 4);
    assert_true(is_keys_next(&k) == sum << 16);
    sum = 0;
  }
}

/* Compares the counts of some ranks with single keys. */
static void series_agree_with_single_keys(void **state)
{
  (void)state;
  enum { KEYS_LOG = 29, BUCKETS_LOG = 10, BUCKETS = 1 << BUCKETS_LOG, STRIDE = BUCKETS + 1 };
  enum { RANKS = 512 };
  struct err e;
  uint32_t *count = calloc((size_t)RANKS * STRIDE, sizeof *count);
  assert_non_null(count);
  assert_int_equal(is_keys_count(count, STRIDE, KEYS_LOG, BUCKETS_LOG, RANKS, &e), OK);
  static const uint32_t SOME[] = {0, 1, 255, 256, 300, 511};
  const uint64_t keys = (UINT64_C(1) << KEYS_LOG) / RANKS;
  for (size_t i = 0; i < sizeof SOME / sizeof *SOME; i++) {
    uint32_t want[BUCKETS] = {0};
    struct is_keys k = is_keys_from(SOME[i] * keys);
    for (uint64_t n = 0; n < keys; n++)
      want[is_keys_next(&k) >> (64 - BUCKETS_LOG)]++;
    assert_memory_equal(count + (size_t)SOME[i] * STRIDE, want, sizeof want);
    assert_int_equal(count[(size_t)SOME[i] * STRIDE + BUCKETS], 0);
  }
  free(count);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_agree_with_the_stream_of_npb),
      cmocka_unit_test(series_agree_with_single_keys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

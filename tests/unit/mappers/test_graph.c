#include "mappers/partners.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void both_ways_add_up_sorted(void **state)
{
  (void)state;
  /* 0-1 both ways, 0-3 and 2-0 one way, a rank with itself, a pair without bytes. */
  struct matrix_entry entry[] = {{0, 1, 1, 5}, {0, 3, 1, 2}, {1, 0, 2, 7}, {1, 1, 1, 99},
                                 {2, 0, 1, 4}, {2, 3, 1, 0}, {3, 2, 1, 0}};
  static const struct {
    uint32_t rank;
    uint64_t bytes;
  } want[] = {{1, 12}, {2, 4}, {3, 2}, {0, 12}, {0, 4}, {0, 2}};
  static const size_t first[] = {0, 3, 4, 5, 6, 6};
  const struct matrix m = {.ranks = 4, .count = COUNT(entry), .entry = entry};
  struct partners p = {0};
  struct err e;
  assert_int_equal(partners_new(&p, &m, 5, &e), OK);
  assert_int_equal(p.ranks, 5);
  assert_memory_equal(p.first, first, sizeof first);
  for (size_t i = 0; i < COUNT(want); i++) {
    assert_int_equal(p.partner[i].rank, want[i].rank);
    assert_int_equal(p.partner[i].bytes, want[i].bytes);
  }
  partners_clear(&p);
  partners_clear(&p);
}

static void no_traffic_is_no_partners(void **state)
{
  (void)state;
  const struct matrix m = {.ranks = 2};
  struct partners p = {0};
  struct err e;
  assert_int_equal(partners_new(&p, &m, 2, &e), OK);
  assert_int_equal(p.first[2], 0);
  partners_clear(&p);
}

static void ranks_beyond_are_refused(void **state)
{
  (void)state;
  struct matrix_entry entry[] = {{0, 4, 1, 5}};
  const struct matrix m = {.ranks = 5, .count = 1, .entry = entry};
  struct partners p = {.ranks = 99};
  struct err e;
  assert_int_equal(partners_new(&p, &m, 4, &e), FAIL);
  assert_string_equal(e.text, "the traffic is between ranks 0 and 4 of 4");
  entry[0] = (struct matrix_entry){4, 0, 1, 5};
  assert_int_equal(partners_new(&p, &m, 4, &e), FAIL);
  assert_string_equal(e.text, "the traffic is between ranks 4 and 0 of 4");
  assert_int_equal(p.ranks, 99);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_ways_add_up_sorted),
      cmocka_unit_test(no_traffic_is_no_partners),
      cmocka_unit_test(ranks_beyond_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

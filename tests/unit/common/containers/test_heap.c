/* Compares the heap with a linear search over all keys. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "common/containers/heap.h"
#include "common/numeric/rng.h"

enum { ITEMS = 600 };

/* The expected first item, by linear search; NaN marks items that are not in the heap. */
static uint32_t first_of(const double *key)
{
  uint32_t first = UINT32_MAX;
  for (uint32_t i = 0; i < ITEMS; i++)
    if (!isnan(key[i]) && (first == UINT32_MAX || key[i] < key[first]))
      first = i;
  return first;
}

static void random_operations_agree_with_search(void **state)
{
  (void)state;
  struct rng r = rng_new(1, 0);
  struct heap h = {0};
  struct err e;
  double key[ITEMS];
  for (uint32_t i = 0; i < ITEMS; i++)
    key[i] = NAN;
  assert_int_equal(heap_reserve(&h, ITEMS / 2, &e), OK);
  assert_int_equal(heap_reserve(&h, ITEMS, &e), OK);
  for (int k = 0; k < 100000; k++) {
    const uint32_t i = (uint32_t)rng_below(&r, ITEMS);
    if (rng_below(&r, 3) == 0) {
      key[i] = NAN;
      heap_remove(&h, i);
    } else { /* many equal keys, negative keys, and both zeros */
      key[i] = rng_below(&r, 4) == 0 ? -0.0
                                     : (double)rng_below(&r, 9) * 0.5 - (k % 20000 < 10000 ? 2 : 0);
      heap_set_key(&h, i, key[i]);
      assert_true(heap_key(&h, i) == key[i]);
    }
    assert_int_equal(heap_has(&h, i), !isnan(key[i]));
    const uint32_t first = first_of(key);
    assert_int_equal(heap_count(&h) == 0, first == UINT32_MAX);
    if (heap_count(&h) > 0) {
      assert_int_equal(heap_first(&h), first);
      assert_true(heap_first_key(&h) == key[first]);
    }
  }
  heap_clear(&h);
}

static void ties_do_not_depend_on_the_order_of_insertion(void **state)
{
  (void)state;
  static const uint32_t ORDER[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}};
  for (size_t k = 0; k < sizeof ORDER / sizeof *ORDER; k++) {
    struct heap h = {0};
    struct err e;
    assert_int_equal(heap_reserve(&h, 4, &e), OK);
    for (int i = 0; i < 4; i++)
      heap_set_key(&h, ORDER[k][i], ORDER[k][i] == 3 ? -INFINITY : 1);
    static const uint32_t EXPECTED[] = {3, 0, 1, 2};
    for (int i = 0; i < 4; i++) {
      assert_int_equal(heap_first(&h), EXPECTED[i]);
      heap_remove(&h, heap_first(&h));
    }
    heap_clear(&h);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_operations_agree_with_search),
      cmocka_unit_test(ties_do_not_depend_on_the_order_of_insertion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "mappers/schedule/hostheap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "common/numeric/rng.h"

enum { HOSTS = 37, STEPS = 2000 };

/* Raises the dates of several hosts at once, without updates of the heap. */
static void the_first_is_the_least(void **state)
{
  (void)state;
  struct hostheap_node node[HOSTS];
  struct hostheap h = {node, HOSTS};
  double free_at[HOSTS] = {0};
  struct rng r = rng_new(1, 0);
  for (uint32_t i = 0; i < HOSTS; i++)
    node[i].host = HOSTS - 1 - i;
  hostheap_build(&h, free_at);
  for (int step = 0; step < STEPS; step++) {
    uint32_t least = 0;
    for (uint32_t i = 1; i < HOSTS; i++)
      least = free_at[i] < free_at[least] ? i : least;
    assert_int_equal(hostheap_first(&h, free_at), least);
    for (uint64_t k = rng_below(&r, 4); k > 0; k--)
      free_at[rng_below(&r, HOSTS)] += (double)rng_below(&r, 3);
    free_at[least]++;
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_first_is_the_least),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

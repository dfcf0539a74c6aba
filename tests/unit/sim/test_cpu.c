#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sim/cpu.h"

enum { RANKS = 4 };

static void begin(struct cpu *c, uint32_t cores)
{
  struct err e;
  assert_int_equal(cpu_new(c, 2, RANKS, &e), OK);
  c->host[0] = (struct cpu_host){.speed = 10, .cores = cores};
  c->host[1] = (struct cpu_host){.speed = 20, .cores = 1};
}

/* The next end, which is that of @p rank at @p date. */
static void expect(struct cpu *c, uint32_t rank, double date)
{
  assert_true(c->end.count > 0);
  assert_int_equal(c->end.node[0].item, rank);
  assert_float_equal(event_heap_first_key(&c->end), date, 1e-12);
  cpu_end(c, rank, date);
}

static void ranks_of_a_host_share_it(void **state)
{
  (void)state;
  struct cpu c;
  begin(&c, 1);
  cpu_compute(&c, 0, 0, 100, 0);
  cpu_compute(&c, 1, 1, 100, 0);
  cpu_compute(&c, 2, 0, 20, 1); /* rank 0 has 90 left; both at 5 */
  expect(&c, 1, 5);
  expect(&c, 2, 5);
  expect(&c, 0, 12); /* 70 left at 5, alone again */
  assert_int_equal(c.end.count, 0);
  cpu_clear(&c);
}

static void no_rank_is_faster_than_a_core(void **state)
{
  (void)state;
  struct cpu c;
  begin(&c, 2);
  cpu_compute(&c, 0, 0, 100, 0);
  cpu_compute(&c, 1, 0, 100, 0);
  cpu_compute(&c, 2, 0, 100, 0); /* three on two cores: 20/3 each */
  expect(&c, 0, 15);
  expect(&c, 1, 15);
  expect(&c, 2, 15);
  cpu_clear(&c);
}

static void free_cores_speed_nobody_up(void **state)
{
  (void)state;
  struct cpu c;
  begin(&c, 3);
  cpu_compute(&c, 0, 0, 100, 0);
  cpu_compute(&c, 1, 0, 150, 0);
  expect(&c, 0, 10);
  expect(&c, 1, 15);
  cpu_clear(&c);
}

static void sleeping_takes_no_share(void **state)
{
  (void)state;
  struct cpu c;
  begin(&c, 1);
  cpu_compute(&c, 0, 0, 100, 2);
  cpu_sleep(&c, 1, 3, 2);
  expect(&c, 1, 5);
  cpu_sleep(&c, 1, 100, 5);
  expect(&c, 0, 12);
  expect(&c, 1, 105);
  cpu_clear(&c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranks_of_a_host_share_it),
      cmocka_unit_test(no_rank_is_faster_than_a_core),
      cmocka_unit_test(free_cores_speed_nobody_up),
      cmocka_unit_test(sleeping_takes_no_share),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

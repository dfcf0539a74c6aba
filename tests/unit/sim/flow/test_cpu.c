#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "sim/effects/effects.h"
#include "sim/flow/cpu.h"

enum { RANKS = 4 };

static void begin(struct cpu *c, uint32_t cores)
{
  struct err e;
  assert_int_equal(cpu_new(c, 2, RANKS, &e), OK);
  c->host[0] = (struct cpu_host){.speed = 10, .cores = cores};
  c->host[1] = (struct cpu_host){.speed = 20, .cores = 1};
}

/* Checks that @p ranks end next, at @p date, in this order. */
static void expect(struct cpu *c, const char *ranks, double date)
{
  assert_true(heap_count(&c->end) > 0);
  assert_float_equal(heap_first_key(&c->end), date, 1e-12);
  assert_int_equal(cpu_end(c, date, 1e-9), strlen(ranks));
  for (uint32_t i = 0; i < strlen(ranks); i++)
    assert_int_equal(c->ended[i].rank, ranks[i] - '0');
}

static void ranks_of_a_host_share_its_speed(void **state)
{
  (void)state;
  struct cpu c;
  begin(&c, 1);
  cpu_compute(&c, 0, 0, (struct cpu_work){.flops = 100}, 0);
  cpu_compute(&c, 1, 1, (struct cpu_work){.flops = 100}, 0);
  assert_int_equal(cpu_end(&c, 1, 0), 0);
  cpu_compute(&c, 2, 0, (struct cpu_work){.flops = 20},
              1); /* rank 0 has 90 left; both now run at 5 */
  expect(&c, "12", 5);
  expect(&c, "0", 12); /* 70 left at 5, then full speed */
  assert_int_equal(heap_count(&c.end), 0);
  cpu_clear(&c);
}

static void no_rank_is_faster_than_a_core(void **state)
{
  (void)state;
  struct cpu c;
  begin(&c, 2);
  cpu_compute(&c, 0, 0, (struct cpu_work){.flops = 100}, 0);
  cpu_compute(&c, 1, 0, (struct cpu_work){.flops = 100}, 0);
  cpu_compute(&c, 2, 0, (struct cpu_work){.flops = 100},
              0); /* three ranks on two cores run at 20/3 */
  expect(&c, "210", 15);
  cpu_clear(&c);
}

static void free_cores_do_not_speed_up_ranks(void **state)
{
  (void)state;
  struct cpu c;
  begin(&c, 3);
  cpu_compute(&c, 0, 0, (struct cpu_work){.flops = 100}, 0);
  cpu_compute(&c, 1, 0, (struct cpu_work){.flops = 150}, 0);
  expect(&c, "0", 10);
  expect(&c, "1", 15);
  cpu_clear(&c);
}

static void sleeping_takes_no_share(void **state)
{
  (void)state;
  struct cpu c;
  begin(&c, 1);
  cpu_compute(&c, 0, 0, (struct cpu_work){.flops = 100}, 2);
  cpu_sleep(&c, 1, 3, 2);
  expect(&c, "1", 5);
  cpu_sleep(&c, 1, 100, 5);
  expect(&c, "0", 12);
  expect(&c, "1", 105);
  cpu_clear(&c);
}

/* Order of ends at the same date: sleeps before computations, the latest begun first.
 * Computations by host, in the order in which hosts had a computation begin or end. */
static void ends_at_one_date_have_the_order_of_simgrid(void **state)
{
  (void)state;
  struct cpu c;
  begin(&c, 2);
  cpu_compute(&c, 3, 1, (struct cpu_work){.flops = 200}, 0);
  cpu_compute(&c, 1, 0, (struct cpu_work){.flops = 100}, 0);
  cpu_sleep(&c, 0, 10, 0);
  cpu_sleep(&c, 2, 10, 0);
  expect(&c, "2031", 10);
  cpu_compute(&c, 1, 0, (struct cpu_work){.flops = 10}, 10); /* host 1 had the first end */
  cpu_compute(&c, 3, 1, (struct cpu_work){.flops = 20}, 10);
  expect(&c, "31", 11);
  cpu_sleep(&c, 1, 2, 11);
  cpu_compute(&c, 0, 0, (struct cpu_work){.flops = 10}, 11);
  expect(&c, "0", 12);
  cpu_compute(&c, 0, 0, (struct cpu_work){.flops = 10},
              12); /* its end is calculated after the end of the sleep */
  cpu_sleep(&c, 3, 1, 12);
  expect(&c, "130", 13);
  cpu_clear(&c);
}

static void close_ends_are_ordered_by_date(void **state)
{
  (void)state;
  struct cpu c;
  begin(&c, 1);
  cpu_sleep(&c, 0, 1, 0);
  cpu_sleep(&c, 1, 1 + 5e-10, 0);
  cpu_sleep(&c, 2, 1 + 2e-9, 0);
  expect(&c, "01", 1);
  assert_int_equal(cpu_end(&c, 1, 1e-9), 0);
  assert_int_equal(heap_count(&c.end), 1);
  cpu_clear(&c);
}

/* Two ranks on four cores: 40 % of the speed each; alone again, the rank has the whole speed. */
static void ranks_contend(void **state)
{
  (void)state;
  struct cpu c;
  struct effects x = {.count = 0};
  struct err e;
  assert_int_equal(effects_add(&x, "contention:curve=1:1,2:0.4", &e), OK);
  begin(&c, 4);
  c.effects = &x;
  cpu_compute(&c, 0, 0, (struct cpu_work){.flops = 100}, 0);
  assert_int_equal(cpu_end(&c, 5, 0), 0);
  cpu_compute(&c, 2, 0, (struct cpu_work){.flops = 20}, 5); /* rank 0 has 50 left; 4 flop/s each */
  expect(&c, "2", 10);                                      /* rank 0 has 30 left */
  expect(&c, "0", 13);
  cpu_clear(&c);
}

/* Flops at 10 flop/s, and 2 bytes of memory traffic for each, at 20 byte/s over all ranks. */
static void ranks_share_memory(void **state)
{
  (void)state;
  struct cpu c;
  struct effects x = {.count = 0};
  struct err e;
  assert_int_equal(effects_add(&x, "memory:curve=1:20Bps", &e), OK);
  begin(&c, 4);
  c.effects = &x;
  cpu_compute(&c, 0, 0, (struct cpu_work){.flops = 10, .traffic = 2}, 0);
  expect(&c, "0", 2);
  cpu_compute(&c, 0, 0, (struct cpu_work){.flops = 10, .traffic = 2}, 2);
  cpu_compute(&c, 1, 0, (struct cpu_work){.flops = 10, .traffic = 2}, 2);
  expect(&c, "10", 5);
  cpu_compute(&c, 2, 0, (struct cpu_work){.flops = 10}, 5);
  expect(&c, "2", 6);
  cpu_clear(&c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranks_of_a_host_share_its_speed),
      cmocka_unit_test(ranks_contend),
      cmocka_unit_test(ranks_share_memory),
      cmocka_unit_test(no_rank_is_faster_than_a_core),
      cmocka_unit_test(free_cores_do_not_speed_up_ranks),
      cmocka_unit_test(sleeping_takes_no_share),
      cmocka_unit_test(ends_at_one_date_have_the_order_of_simgrid),
      cmocka_unit_test(close_ends_are_ordered_by_date),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

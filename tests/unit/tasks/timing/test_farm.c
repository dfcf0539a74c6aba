#include "tasks/timing/farm.h"

#include <math.h>

#include "tests/unit/opened.h"
#include "tests/unit/tasks/machine.h"

static void farm_of_clusters(void **state)
{
  (void)state;
  struct hosts h;
  struct farm f;
  struct err e = {""};
  const struct tasknet_units units = {1e9, 1e6};
  struct platform *p = opened_platform("platforms/mega-table8.xml");
  assert_int_equal(hosts_make(&h, p, &e), OK);
  assert_int_equal(farm_of(&f, p, &h, &units, &e), OK);
  static const double speed[] = {4, 2, 1};
  assert_int_equal(f.hosts, 35);
  assert_int_equal(f.classes, 3);
  for (uint32_t i = 0; i < f.hosts; i++)
    assert_true(f.speed[f.class_of[i]] == speed[i < 5 ? 0 : i < 15 ? 1 : 2]);
  for (uint32_t a = 0; a < 3; a++)
    for (uint32_t b = 0; b < 3; b++)
      assert_true(f.bandwidth[a * 3 + b] == (a == b ? 100 : 10));
  assert_true(farm_total_speed(&f) == 60);
  /* Ordered pairs within groups: 5*4 + 10*9 + 20*19 = 490 of 35*34 = 1190. */
  assert_true(fabs(farm_mean_bandwidth(&f) - (490 * 100 + 700 * 10) / 1190.0) < 1e-9);
  farm_clear(&f);
  hosts_clear(&h);
  platform_free(p);
}

static const struct test_group TWO[] = {{3, 1, 10}, {1, 6, 5}, {0, 0, 0}};

static void competing_tasks_share_a_host(void **state)
{
  (void)state;
  static const uint32_t tasks[] = {0, 2, 0, 1};
  struct test_machine t;
  struct farm f;
  struct err e;
  test_machine(&t, TWO, 2);
  assert_int_equal(farm_load(&f, &t.m, tasks, &(struct farm_losses){.seed = 1}, &e), OK);
  static const double speed[] = {1, 1 / 3.0, 1, 3};
  for (uint32_t h = 0; h < 4; h++)
    assert_true(f.speed[f.class_of[h]] == speed[h]);
  assert_int_equal(f.classes, 3);
  assert_int_equal(f.class_of[0], f.class_of[2]);
  assert_true(farm_transfer(&f, 20, f.class_of[0], f.class_of[1], 1) == 2);
  assert_true(farm_transfer(&f, 20, f.class_of[1], f.class_of[3], 1) == 10);
  farm_clear(&f);
  farm_clear(&t.m);
}

/* The loss R is normally distributed with mean mu = (2 + 1) * 0.1 and standard deviation mu / 3.
 * It is 1 - 1 / slowdown for bandwidth, and slowdown - 1 for time. */
static void check_losses(bool of_time)
{
  enum { DRAWS = 20000 };
  const struct farm_losses losses = {
      .bandwidth = of_time ? 0 : 0.1, .time = of_time ? 0.1 : 0, .seed = 7};
  static const uint32_t tasks[] = {0, 2, 0, 1};
  struct test_machine t;
  struct farm f;
  struct err e;
  double sum = 0, squares = 0;
  test_machine(&t, TWO, 2);
  assert_int_equal(farm_load(&f, &t.m, tasks, &losses, &e), OK);
  for (uint64_t i = 0; i < DRAWS; i++) {
    const double slowdown = farm_transfer(&f, 20, f.class_of[1], f.class_of[3], i) / 10;
    const double lost = of_time ? slowdown - 1 : 1 - 1 / slowdown;
    sum += lost;
    squares += lost * lost;
  }
  const double mean = sum / DRAWS;
  assert_true(fabs(mean - 0.3) < 0.003);
  assert_true(fabs(sqrt(squares / DRAWS - mean * mean) - 0.1) < 0.003);
  assert_true(farm_transfer(&f, 20, f.class_of[0], f.class_of[2], 1) == 2);
  farm_clear(&f);
  farm_clear(&t.m);
}

static void communications_lose_bandwidth(void **state)
{
  (void)state;
  check_losses(false);
}

static void communications_take_longer(void **state)
{
  (void)state;
  check_losses(true);
}

static void the_loss_of_bandwidth_is_bounded(void **state)
{
  (void)state;
  static const uint32_t tasks[] = {0, 50, 0, 50};
  struct test_machine t;
  struct farm f;
  struct err e;
  test_machine(&t, TWO, 2);
  assert_int_equal(
      farm_load(&f, &t.m, tasks, &(struct farm_losses){.bandwidth = 0.1, .seed = 7}, &e), OK);
  for (uint64_t i = 0; i < 100; i++) {
    const double takes = farm_transfer(&f, 20, f.class_of[1], f.class_of[3], i);
    assert_true(takes >= 10 && takes < 1001); /* at most 0.99 of the bandwidth is lost */
  }
  farm_clear(&f);
  farm_clear(&t.m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(farm_of_clusters),
      cmocka_unit_test(competing_tasks_share_a_host),
      cmocka_unit_test(communications_lose_bandwidth),
      cmocka_unit_test(communications_take_longer),
      cmocka_unit_test(the_loss_of_bandwidth_is_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Properties of all schedulers, on random networks. */
#include <math.h>
#include <string.h>

#include "tasks/cost.h"
#include "tests/unit/mappers/schedule/run.h"
#include "tests/unit/tasks/draw.h"

enum { SEEDS = 25 };

static const struct test_group GROUPS[] = {{3, 1, 100}, {2, 2.5, 50}, {4, 0.5, 50}, {0, 0, 0}};
static const struct test_group ONE[] = {{1, 2, 1}, {0, 0, 0}};

/* Dating the schedule (tasks/timing/dates.h) also checks that it can run. */
static void check(const char *name, const struct tasknet *n, const struct test_machine *t,
                  bool pipelined)
{
  struct schedule s = test_schedule(name, n, t), again = test_schedule(name, n, t);
  struct err e;
  double path, work = 0, fastest = 0;
  assert_int_equal(tasknet_critical_path(n, &path, &e), OK);
  for (uint32_t a = 0; a < n->arrays; a++)
    work += tasknet_array_sum(n, a).compute;
  for (uint32_t c = 0; c < t->m.classes; c++)
    fastest = fmax(fastest, t->m.speed[c]);
  const double makespan = schedule_makespan(&s);
  assert_true(makespan > work / farm_total_speed(&t->m) - 1e-9);
  assert_true(pipelined || makespan > path / fastest - 1e-9);
  assert_memory_equal(s.host, again.host, n->elements * sizeof *s.host);
  assert_memory_equal(s.place, again.place, n->elements * sizeof *s.place);
  schedule_clear(&s);
  schedule_clear(&again);
}

static void every_schedule_can_run(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    const bool pipelined = seed % 2 == 0;
    struct tasknet n = draw(seed, pipelined);
    struct test_machine t;
    test_machine(&t, seed % 5 == 0 ? ONE : GROUPS, 1);
    const char *name;
    for (size_t i = 0; (name = registry_name(&schedulers, i)) != NULL; i++)
      if (strcmp(name, "optimal") != 0)
        check(name, &n, &t, pipelined);
    check("optimal:gap=10", &n, &t, pipelined); /* no smaller gap is proven at this size */
    check("hierarchical:outer=shares", &n, &t, pipelined);
    check("hierarchical:outer=shares,inner=costs,groups=all", &n, &t, pipelined);
    check("best:expect=5,tries=6,seed=2", &n, &t, pipelined);
    farm_clear(&t.m);
    tasknet_clear(&n);
  }
}

/* On one host, each scheduler runs all work sequentially. */
static void one_host_takes_all_work(void **state)
{
  (void)state;
  struct tasknet n = draw(3, false);
  struct test_machine t;
  const char *name;
  double work = 0;
  test_machine(&t, ONE, 1);
  for (uint32_t a = 0; a < n.arrays; a++)
    work += tasknet_array_sum(&n, a).compute;
  for (size_t i = 0; (name = registry_name(&schedulers, i)) != NULL; i++) {
    struct schedule s = test_schedule(name, &n, &t);
    assert_true(fabs(schedule_makespan(&s) - work / 2) < 1e-9);
    schedule_clear(&s);
  }
  farm_clear(&t.m);
  tasknet_clear(&n);
}

static void refusals(void **state)
{
  (void)state;
  static const struct {
    const char *spec, *text;
  } cases[] = {
      {"hefd", "unknown scheduler 'hefd', perhaps 'heft'; expected"},
      {"heft:x=1", "scheduler 'heft': no option 'x'; options: none"},
      {"hierarchical:tolerance=2", "scheduler 'hierarchical': tolerance: "},
      {"hierarchical:inner=x", "scheduler 'hierarchical': inner: 'x' is none of fit, costs, ends"},
      {"hierarchical:outer=x", "scheduler 'hierarchical': outer: 'x' is none of ends, shares"},
      {"hierarchical:groups=0",
       "scheduler 'hierarchical': groups: '0' is none of fit, all and a number above 0"},
      {"hierarchical:groups=few",
       "scheduler 'hierarchical': groups: 'few' is none of fit, all and a number above 0"},
      {"hierarchical:x=2", "scheduler 'hierarchical': "},
  };
  struct tasknet n = draw(1, false);
  struct test_machine t;
  test_machine(&t, GROUPS, 1);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct scheduler_input in = {.net = &n, .farm = &t.m, .hosts = &t.hosts};
    struct schedule s;
    struct err e = {""};
    assert_int_equal(scheduler_run(cases[i].spec, &in, &s, &e), FAIL);
    if (strncmp(e.text, cases[i].text, strlen(cases[i].text)) != 0)
      fail_msg("%s", e.text);
  }
  farm_clear(&t.m);
  tasknet_clear(&n);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_schedule_can_run),
      cmocka_unit_test(one_host_takes_all_work),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

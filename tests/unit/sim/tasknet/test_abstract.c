#include "sim/tasknet/abstract.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/mem.h"
#include "tests/unit/tasks/draw.h"
#include "tests/unit/tasks/machine.h"

enum { SEEDS = 60 };

static const struct test_group GROUPS[] = {{3, 1, 100}, {2, 2.5, 50}, {4, 0.5, 50}, {0, 0, 0}};

/* A random host for each element.  Elements of a host run in the order of the network, which never
 * deadlocks. */
struct plan {
  uint32_t *host, *place;
  double *start, *end;
};

static struct plan draw_plan(const struct tasknet *n, uint32_t hosts, uint64_t seed)
{
  struct rng r = rng_new(seed, 1);
  struct err e = {""};
  struct plan p = {
      mem_array(n->elements, sizeof *p.host, &e), mem_array(n->elements, sizeof *p.place, &e),
      mem_array(n->elements, sizeof *p.start, &e), mem_array(n->elements, sizeof *p.end, &e)};
  uint32_t count[TEST_HOSTS] = {0};
  for (uint32_t i = 0; i < n->arrays; i++)
    for (uint32_t k = 0; k < n->array[n->order[i]].count; k++) {
      const uint32_t element = n->array[n->order[i]].first + k;
      p.host[element] = (uint32_t)rng_below(&r, hosts);
      p.place[element] = count[p.host[element]]++;
    }
  return p;
}

static void plan_clear(struct plan *p)
{
  free(p->host);
  free(p->place);
  free(p->start);
  free(p->end);
}

static struct abstract_run execute(const struct abstract_input *in)
{
  struct abstract_run run;
  struct err e = {""};
  if (abstract_execute(in, &run, &e) != OK)
    fail_msg("%s", e.text);
  return run;
}

static const struct steal_policy *policy(const char *name)
{
  struct err e;
  return registry_get(&steal_policies, name, &e);
}

/* Computes the dates in two ways: one pass in the order of dependences, and events. */
static void without_stealing_both_ways_give_equal_dates(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    struct tasknet n = draw(seed, true);
    struct test_machine t;
    test_machine(&t, GROUPS, 1);
    struct plan p = draw_plan(&n, t.m.hosts, seed);
    const struct dates_plan plan = {p.host, p.place};
    struct err e = {""};
    if (dates_compute(&n, &t.m, &plan, p.start, p.end, &e) != OK)
      fail_msg("%s", e.text);
    const struct abstract_input in = {&n, &t.m, &plan, t.m.class_of, policy("none"), 1};
    struct abstract_run run = execute(&in);
    for (uint32_t i = 0; i < n.elements; i++) {
      assert_int_equal(run.host[i], p.host[i]);
      if (run.start[i] != p.start[i] || run.end[i] != p.end[i])
        fail_msg("seed %d, element %u: %.17g to %.17g by events, %.17g to %.17g by dates",
                 (int)seed, i, run.start[i], run.end[i], p.start[i], p.end[i]);
    }
    abstract_clear(&run);
    plan_clear(&p);
    farm_clear(&t.m);
    tasknet_clear(&n);
  }
}

/* Checks that each host runs one element at a time. */
static void check_hosts(const struct tasknet *n, const struct abstract_run *run)
{
  for (uint32_t i = 0; i < n->elements; i++) {
    assert_true(run->start[i] >= 0 && run->end[i] >= run->start[i]);
    assert_true(run->end[i] <= run->makespan_s);
    for (uint32_t k = 0; k < i; k++)
      assert_true(run->host[i] != run->host[k] || run->end[k] <= run->start[i] ||
                  run->end[i] <= run->start[k]);
  }
}

/* Dates computed from the hosts and the order of starts must agree, so each element ran once and
 * not before its input arrived. */
static void check_dates(const struct tasknet *n, const struct farm *f,
                        const struct abstract_run *run, struct plan *p)
{
  struct err e = {""};
  for (uint32_t i = 0; i < n->elements; i++) {
    p->place[i] = 0;
    for (uint32_t k = 0; k < n->elements; k++)
      p->place[i] += run->host[k] == run->host[i] && run->start[k] < run->start[i];
  }
  const struct dates_plan plan = {run->host, p->place};
  if (dates_compute(n, f, &plan, p->start, p->end, &e) != OK)
    fail_msg("%s", e.text);
  for (uint32_t i = 0; i < n->elements; i++)
    assert_true(run->start[i] >= p->start[i] - 1e-9); /* an element that was stolen late starts
                                                       * later */
}

static void stealing_runs_each_element_once(void **state)
{
  (void)state;
  uint64_t steals = 0;
  const struct steal_policy *s;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    struct tasknet n = draw(seed, seed % 3 == 0);
    struct test_machine t;
    struct farm f;
    struct err e;
    uint32_t tasks[TEST_HOSTS] = {0};
    test_machine(&t, GROUPS, 1);
    tasks[seed % t.m.hosts] = 2;
    tasks[seed % 4] += 1;
    const struct farm_losses losses = {.bandwidth = 0.1, .seed = seed};
    assert_int_equal(farm_load(&f, &t.m, tasks, &losses, &e), OK);
    struct plan p = draw_plan(&n, t.m.hosts, seed);
    for (size_t i = 1; (s = registry_at(&steal_policies, i)) != NULL; i++) {
      const struct dates_plan plan = {p.host, p.place};
      const struct abstract_input in = {&n, &f, &plan, t.m.class_of, s, seed};
      struct plan back = draw_plan(&n, t.m.hosts, seed);
      struct abstract_run run = execute(&in), again = execute(&in);
      check_hosts(&n, &run);
      check_dates(&n, &f, &run, &back);
      assert_memory_equal(run.start, again.start, n.elements * sizeof *run.start);
      assert_true(run.stolen >= run.steals);
      steals += run.steals;
      abstract_clear(&run);
      abstract_clear(&again);
      plan_clear(&back);
    }
    plan_clear(&p);
    farm_clear(&f);
    farm_clear(&t.m);
    tasknet_clear(&n);
  }
  assert_true(steals > SEEDS);
}

/* Six tasks on one of two hosts.  When the thief arrives, one of them runs and five wait: it
 * takes the last two.  When it is done, at 4, only one task waits, which is too few. */
static void a_thief_takes_half(void **state)
{
  (void)state;
  static const struct test_group two[] = {{2, 1, 1}, {0, 0, 0}};
  static const struct build_array arrays[] = {{"a", 6, TASKNET_A, {2, 0, 0, 1}}, {.name = NULL}};
  static const uint32_t host[6] = {0}, place[] = {0, 1, 2, 3, 4, 5};
  static const uint32_t ran[] = {0, 0, 0, 0, 1, 1};
  static const double start[] = {0, 2, 4, 6, 0, 2};
  struct tasknet n = build(arrays, NULL);
  struct test_machine t;
  test_machine(&t, two, 1);
  const struct dates_plan plan = {host, place};
  const struct abstract_input in = {&n, &t.m, &plan, t.m.class_of, policy("random"), 1};
  struct abstract_run run = execute(&in);
  for (uint32_t i = 0; i < 6; i++) {
    assert_int_equal(run.host[i], ran[i]);
    assert_true(run.start[i] == start[i]);
  }
  assert_int_equal(run.steals, 1);
  assert_int_equal(run.stolen, 2);
  abstract_clear(&run);
  farm_clear(&t.m);
  tasknet_clear(&n);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_stealing_both_ways_give_equal_dates),
      cmocka_unit_test(stealing_runs_each_element_once),
      cmocka_unit_test(a_thief_takes_half),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

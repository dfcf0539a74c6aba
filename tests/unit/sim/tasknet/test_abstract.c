#include "sim/tasknet/abstract.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/mem.h"
#include "tests/unit/tasks/draw.h"
#include "tests/unit/tasks/machine.h"

enum { SEEDS = 60 };

static const struct test_group GROUPS[] = {{3, 1, 100}, {2, 2.5, 50}, {4, 0.5, 50}, {0, 0, 0}};

/* Hosts at random, and an order that can run: that of the network. */
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

/* Two ways to the same dates: one pass in the order of dependences, and events. */
static void without_stealing_the_dates_hold(void **state)
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
    machine_clear(&t.m);
    tasknet_clear(&n);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_stealing_the_dates_hold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <math.h>

#include "tasks/timing/dates.h"
#include "tests/unit/mappers/schedule/run.h"
#include "tests/unit/tasks/draw.h"

enum { SEEDS = 80, TINY = 5 };

static const struct test_group HOSTS[] = {{2, 1, 4}, {1, 2, 1}, {0, 0, 0}};

/* The hosts of table 8. */
static const struct test_group THREE[] = {{5, 4, 100}, {10, 2, 100}, {20, 1, 100}, {0, 0, 0}};

/* --- small networks --------------------------------------------------------------------------- */

/* Arrays of 1 to 3 elements, TINY in all, of any pattern.  Each is joined with some of the earlier
 * ones, at random element by element if the sizes are equal. */
static void add_small_array(struct tasknet *n, struct rng *r, uint32_t left)
{
  char name[16];
  struct err e = {""};
  snprintf(name, sizeof name, "t%u", n->arrays);
  struct tasknet_new_array a = {.name = name,
                                .count = 1 + (uint32_t)rng_below(r, left < 3 ? left : 3)};
  a.pattern = (enum tasknet_pattern)rng_below(r, 4);
  a.cost = draw_cost(r);
  a.cost.compute = (double)rng_below(r, 10);
  assert_int_equal(tasknet_add_array(n, &a, &e), OK);
}

static void join_small(struct tasknet *n, struct rng *r, uint32_t from, uint32_t to)
{
  char name[16];
  struct err e = {""};
  const bool each = n->array[from].count == n->array[to].count && rng_below(r, 2) == 0;
  snprintf(name, sizeof name, "s%u", n->streams);
  assert_int_equal(tasknet_add_stream(n, name, each ? n->array[to].count : 1, 0, &e), OK);
  assert_int_equal(tasknet_add_producer(n, from, TASKNET_OUTPUT, &e), OK);
  assert_int_equal(tasknet_add_consumer(n, to, &e), OK);
}

static struct tasknet draw_small(uint64_t seed, uint32_t elements)
{
  struct tasknet n = {0};
  struct rng r = rng_new(seed, 3);
  struct err e = {""};
  while (n.elements < elements)
    add_small_array(&n, &r, elements - n.elements);
  for (uint32_t to = 1; to < n.arrays; to++)
    for (uint32_t from = 0; from < to; from++)
      if (rng_below(&r, 2) == 0)
        join_small(&n, &r, from, to);
  assert_int_equal(tasknet_seal(&n, &e), OK);
  return n;
}

/* --- all schedules ---------------------------------------------------------------------------- */

struct all {
  const struct tasknet *n;
  const struct test_machine *t;
  uint32_t host[TINY], place[TINY], used[TEST_HOSTS];
  double best;
};

static void date_one(struct all *x)
{
  const struct dates_plan plan = {x->host, x->place};
  double start[TINY], end[TINY], last = 0;
  struct err e;
  if (dates_compute(x->n, &x->t->m, &plan, start, end, &e) != OK)
    return; /* hosts wait for each other */
  for (uint32_t i = 0; i < TINY; i++)
    last = fmax(last, end[i]);
  x->best = fmin(x->best, last);
}

/* Tries all hosts for all elements, and all orders on each host. */
static void try_all(struct all *x, uint32_t placed)
{
  if (placed == (1u << TINY) - 1)
    date_one(x);
  for (uint32_t i = 0; i < TINY; i++) {
    if ((placed >> i & 1) != 0)
      continue;
    for (uint32_t h = 0; h < x->t->m.hosts; h++) {
      x->host[i] = h;
      x->place[i] = x->used[h]++;
      try_all(x, placed | 1u << i);
      x->used[h]--;
    }
  }
}

static void no_schedule_is_better(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    struct test_machine t;
    struct tasknet n = draw_small(seed, TINY);
    struct all x = {.n = &n, .t = &t, .best = INFINITY};
    test_machine(&t, HOSTS, 1);
    try_all(&x, 0);
    const double found = test_makespan("optimal", &n, &t);
    if (!(fabs(found - x.best) <= 1e-8 * x.best))
      fail_msg("seed %d: %.12g, but %.12g is the least", (int)seed, found, x.best);
    farm_clear(&t.m);
    tasknet_clear(&n);
  }
}

/* --- larger networks -------------------------------------------------------------------------- */

static void no_scheduler_is_better(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    struct test_machine t;
    struct tasknet n = draw_small(seed, 8);
    const char *name;
    test_machine(&t, HOSTS, 1);
    const double least = test_makespan("optimal", &n, &t);
    for (size_t i = 0; (name = registry_name(&schedulers, i)) != NULL; i++)
      assert_true(test_makespan(name, &n, &t) >= least * (1 - 1e-8));
    assert_true(test_makespan("optimal:gap=10%", &n, &t) <= least * (1.1 + 1e-8));
    farm_clear(&t.m);
    tasknet_clear(&n);
  }
}

/* One task, an array of 48 elements and one task on 35 hosts of three speeds, too many for a search
 * element by element.  Eight elements run on the slowest hosts: 2.5 + 0.5 + 40 + 0.5 + 2.5 s. */
static void equal_placements_are_tried_once(void **state)
{
  (void)state;
  struct test_machine t;
  struct tasknet n = {0};
  struct err e = {""};
  static const struct {
    uint32_t count;
    struct tasknet_cost cost;
  } ARRAYS[] = {{1, {10, 0, 5, 1}}, {48, {40, 0, 5, 1}}, {1, {10, 0, 0, 1}}};
  static const char *const NAMES[] = {"a", "b", "c"};
  for (size_t i = 0; i < 3; i++) {
    const struct tasknet_new_array a = {
        .name = NAMES[i], .count = ARRAYS[i].count, .cost = ARRAYS[i].cost};
    assert_int_equal(tasknet_add_array(&n, &a, &e), OK);
  }
  for (uint32_t i = 0; i < 2; i++) {
    assert_int_equal(tasknet_add_stream(&n, NAMES[i], 1, 0, &e), OK);
    assert_int_equal(tasknet_add_producer(&n, i, TASKNET_OUTPUT, &e), OK);
    assert_int_equal(tasknet_add_consumer(&n, i + 1, &e), OK);
  }
  assert_int_equal(tasknet_seal(&n, &e), OK);
  test_machine(&t, THREE, 10);
  assert_float_equal(test_makespan("optimal:nodes=1000", &n, &t), 46, 1e-9);
  farm_clear(&t.m);
  tasknet_clear(&n);
}

/* The work of these 52 tasks, 1820, would take 30.3 s on hosts with a total speed of 60.  But on
 * the slowest hosts an element of b followed by one of c takes too long, and whole tasks leave
 * hosts idle, so no schedule takes less than 50 s.  One of 50.1 s is found without a search. */
static void few_kinds_are_packed(void **state)
{
  (void)state;
  static const struct tasknet_new_array ARRAYS[] = {
      {.name = "a", .count = 1, .cost = {10, 0, 5, 1}},
      {.name = "b", .count = 20, .cost = {40, 0, 20, 1}},
      {.name = "c", .count = 20, .cost = {20, 0, 5, 1}},
      {.name = "d", .count = 10, .cost = {60, 0, 5, 1}},
      {.name = "e", .count = 1, .cost = {10, 0, 0, 1}}};
  static const struct {
    uint32_t width, from[2], to[2]; /* equal numbers stand for one array */
  } STREAMS[] = {{1, {0, 0}, {1, 3}}, {20, {1, 1}, {2, 2}}, {1, {2, 3}, {4, 4}}};
  static const char *const NAMES[] = {"s1", "s2", "s3"};
  struct test_machine t;
  struct tasknet n = {0};
  struct err e = {""};
  for (size_t i = 0; i < 5; i++)
    assert_int_equal(tasknet_add_array(&n, &ARRAYS[i], &e), OK);
  for (uint32_t i = 0; i < 3; i++) {
    const uint32_t *from = STREAMS[i].from, *to = STREAMS[i].to;
    assert_int_equal(tasknet_add_stream(&n, NAMES[i], STREAMS[i].width, 0, &e), OK);
    for (int k = 0; k < 1 + (from[0] != from[1]); k++)
      assert_int_equal(tasknet_add_producer(&n, from[k], TASKNET_OUTPUT, &e), OK);
    for (int k = 0; k < 1 + (to[0] != to[1]); k++)
      assert_int_equal(tasknet_add_consumer(&n, to[k], &e), OK);
  }
  assert_int_equal(tasknet_seal(&n, &e), OK);
  test_machine(&t, THREE, 10);
  assert_float_equal(test_makespan("optimal:gap=1%,tries=5000,nodes=1", &n, &t), 50.1, 1e-9);
  const struct scheduler_input in = {.net = &n, .farm = &t.m, .hosts = &t.hosts};
  struct schedule s;
  assert_int_equal(scheduler_run("optimal:nodes=1", &in, &s, &e), FAIL);
  assert_non_null(strstr(e.text, "every schedule at least 49.9999"));
  farm_clear(&t.m);
  tasknet_clear(&n);
}

static void unproven_schedules_are_refused(void **state)
{
  (void)state;
  struct test_machine t;
  struct tasknet n = draw_small(1, 12), many = {0};
  const struct scheduler_input in = {.net = &n, .farm = &t.m, .hosts = &t.hosts},
                               large = {.net = &many, .farm = &t.m, .hosts = &t.hosts};
  const struct tasknet_new_array a = {.name = "a", .count = 2000, .cost = {1, 0, 0, 1}};
  struct schedule s;
  struct err e = {""};
  test_machine(&t, HOSTS, 1);
  assert_int_equal(scheduler_run("optimal:nodes=1", &in, &s, &e), FAIL);
  assert_non_null(strstr(e.text, "scheduler 'optimal': not proven with nodes=1: the best schedule "
                                 "found takes "));
  assert_int_equal(tasknet_add_array(&many, &a, &e), OK);
  assert_int_equal(tasknet_seal(&many, &e), OK);
  assert_int_equal(scheduler_run("optimal", &large, &s, &e), FAIL);
  assert_string_equal(e.text, "scheduler 'optimal': 2000 tasks are more than 1024");
  assert_int_equal(scheduler_run("optimal:gap=11", &in, &s, &e), FAIL);
  assert_non_null(strstr(e.text, "scheduler 'optimal': gap: "));
  farm_clear(&t.m);
  tasknet_clear(&n);
  tasknet_clear(&many);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_schedule_is_better),           cmocka_unit_test(no_scheduler_is_better),
      cmocka_unit_test(equal_placements_are_tried_once), cmocka_unit_test(few_kinds_are_packed),
      cmocka_unit_test(unproven_schedules_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

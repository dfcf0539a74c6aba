#include <math.h>

#include "tasks/timing/dates.h"
#include "tests/unit/mappers/schedule/run.h"
#include "tests/unit/tasks/draw.h"

enum { SEEDS = 20, TINY = 6, TINY_HOSTS = 3 };

static const struct test_group GROUPS[] = {{3, 1, 100}, {2, 2.5, 50}, {4, 0.5, 50}, {0, 0, 0}};

static void no_tried_scheduler_is_better(void **state)
{
  (void)state;
  static const char *const others[] = {"hierarchical", "heft", "peft", "cpop", "best:tries=4"};
  uint32_t better = 0;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    struct tasknet n = draw(seed, seed % 2 == 0);
    struct test_machine t;
    test_machine(&t, GROUPS, 1);
    const double best = test_makespan("best", &n, &t);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
      assert_true(best <= test_makespan(others[i], &n, &t));
    better += best < 0.999 * test_makespan("heft", &n, &t);
    farm_clear(&t.m);
    tasknet_clear(&n);
  }
  assert_true(better > SEEDS / 2);
}

/* --- the optimum ------------------------------------------------------------------------------ */

/* Branch and bound over all placement orders of elements and all hosts. */
struct placements {
  const struct tasknet *n;
  const struct test_machine *t;
  uint32_t host[TINY], after[TINY]; /* after: bit mask of producers */
  double end[TINY], free_at[TINY_HOSTS], best;
};

static double ready_at(const struct placements *s, uint32_t element, uint32_t host)
{
  const struct farm *f = &s->t->m;
  double ready = s->free_at[host];
  for (uint32_t p = 0; p < TINY; p++)
    if ((s->after[element] >> p & 1) != 0 && s->host[p] != host)
      ready = fmax(ready,
                   s->end[p] +
                       s->n->array[p].cost.out /
                           f->bandwidth[f->class_of[s->host[p]] * f->classes + f->class_of[host]]);
  return ready;
}

static void branch(struct placements *s, uint32_t placed, double makespan)
{
  if (makespan >= s->best)
    return;
  if (placed == (1u << TINY) - 1)
    s->best = makespan;
  for (uint32_t i = 0; i < TINY; i++) {
    if ((placed >> i & 1) != 0 || (s->after[i] & ~placed) != 0)
      continue;
    for (uint32_t h = 0; h < TINY_HOSTS; h++) {
      const double before = s->free_at[h];
      s->host[i] = h;
      s->end[i] =
          ready_at(s, i, h) + s->n->array[i].cost.compute / s->t->m.speed[s->t->m.class_of[h]];
      s->free_at[h] = s->end[i];
      branch(s, placed | 1u << i, fmax(makespan, s->end[i]));
      s->free_at[h] = before;
    }
  }
}

/* Single tasks of pattern A; each pair is joined with probability 1/3. */
static struct tasknet draw_tiny(uint64_t seed, struct placements *s)
{
  struct tasknet n = {0};
  struct rng r = rng_new(seed, 2);
  struct err e = {""};
  char name[24];
  for (uint32_t i = 0; i < TINY; i++) {
    snprintf(name, sizeof name, "t%u", i);
    const struct tasknet_new_array a = {
        .name = name,
        .count = 1,
        .cost = {1 + (double)rng_below(&r, 9), 0, (double)rng_below(&r, 9), 1}};
    assert_int_equal(tasknet_add_array(&n, &a, &e), OK);
  }
  for (uint32_t i = 0; i < TINY; i++)
    for (uint32_t k = i + 1; k < TINY; k++) {
      if (rng_below(&r, 3) > 0)
        continue;
      s->after[k] |= 1u << i;
      snprintf(name, sizeof name, "s%u-%u", i, k);
      assert_int_equal(tasknet_add_stream(&n, name, 1, 0, &e), OK);
      assert_int_equal(tasknet_add_producer(&n, i, TASKNET_OUTPUT, &e), OK);
      assert_int_equal(tasknet_add_consumer(&n, k, &e), OK);
    }
  assert_int_equal(tasknet_seal(&n, &e), OK);
  return n;
}

static void small_networks_against_the_optimum(void **state)
{
  (void)state;
  static const struct test_group three[] = {{1, 2, 1}, {2, 1, 4}, {0, 0, 0}};
  double ratio = 0;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    struct test_machine t;
    struct placements s = {.t = &t, .best = INFINITY};
    struct tasknet n = draw_tiny(seed, &s);
    const char *name;
    test_machine(&t, three, 1);
    s.n = &n;
    branch(&s, 0, 0);
    for (size_t i = 0; (name = registry_name(&schedulers, i)) != NULL; i++)
      assert_true(test_makespan(name, &n, &t) > s.best - 1e-9);
    ratio += log(test_makespan("best", &n, &t) / s.best) / SEEDS;
    farm_clear(&t.m);
    tasknet_clear(&n);
  }
  if (exp(ratio) > 1.04)
    fail_msg("the mean makespan is %g of the optimum, above 1.04", exp(ratio));
}

/* Given the expected load, the scheduler avoids communication that the load slows down. */
static void expecting_the_load_shortens_the_makespan(void **state)
{
  (void)state;
  double gain = 0;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    struct tasknet n = draw(seed, false);
    struct test_machine t;
    double makespan[2];
    struct err e;
    test_machine(&t, GROUPS, 1);
    for (int k = 0; k < 2; k++) {
      struct schedule s = test_schedule(k == 0 ? "best" : "best:expect=20", &n, &t);
      makespan[k] = 0;
      for (uint64_t i = 0; i < 10; i++) {
        const struct dates_plan plan = {s.host, s.place};
        struct rng r = rng_new(seed, 100 + i);
        uint32_t tasks[TEST_HOSTS] = {0};
        struct farm f;
        for (int x = 0; x < 20; x++)
          tasks[rng_below(&r, t.m.hosts)]++;
        const struct farm_losses losses = {.bandwidth = 0.1, .seed = i};
        assert_int_equal(farm_load(&f, &t.m, tasks, &losses, &e), OK);
        assert_int_equal(dates_compute(&n, &f, &plan, s.start, s.end, &e), OK);
        makespan[k] += log(schedule_makespan(&s)) / 10;
        farm_clear(&f);
      }
      schedule_clear(&s);
    }
    gain += makespan[0] - makespan[1];
    farm_clear(&t.m);
    tasknet_clear(&n);
  }
  assert_true(gain > 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_tried_scheduler_is_better),
      cmocka_unit_test(small_networks_against_the_optimum),
      cmocka_unit_test(expecting_the_load_shortens_the_makespan),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

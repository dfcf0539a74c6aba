/* Searches of small spaces compared with the full search: results, skipped choices, and cost. */
#include "predict/sweep/search.h"
#include "tests/unit/opened.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct a_case {
  const char *platform, *speeds, *trace, *load;
  double most; /* largest cost, as a share of the cost of the full search */
} CASES[] = {
    {"mesh:4x2", "1Gf:4,2Gf:4", "npb:mg.S.{2,4,8}", NULL, 0.3}, /* 4 iterations */
    {"mesh:4x2", "1Gf:4,2Gf:4", "npb:lu.S.{1,2,4,8}", NULL, 0.1},
    {"torus:4x4", "1Gf,3Gf", "ring:{2,4,8,16}:iterations=50,size=100000,compute=1e5", NULL, 0.1},
    {"star:12", "2Gf:4,1Gf:8", "npb:cg.S.{2,4,8}", "tasks:3", 0.3},
    {"mesh:4x2", "1Gf:4,2Gf:4", "ring:{2,4,8}:iterations=40,compute=1e6",
     "noise:every=10ms,for=100us", 0.3},
};

struct fixture {
  struct reading reading;
  struct sim_options sim;
  struct platform *platform;
  struct sweep_space space;
};

static void make(struct fixture *f, const struct a_case *c)
{
  const struct platform_params params = {.speeds = c->speeds};
  struct err e = {{0}};
  *f = (struct fixture){.reading = reading_defaults()};
  f->sim = sim_defaults();
  if (c->load != NULL)
    assert_int_equal(load_specs_add(&f->sim.loads, c->load, &e), OK);
  f->platform = opened_platform_with(c->platform, &params);
  const struct sweep_spec spec = {.platform = f->platform,
                                  .trace = c->trace,
                                  .mapper = {"xyz", "greedy", "random:seed=1"},
                                  .mappers = 3,
                                  .ranks_per_host = 1,
                                  .sim = &f->sim,
                                  .reading = &f->reading};
  if (sweep_space_make(&f->space, &spec, &e) != OK)
    fail_msg("%s", e.text);
}

static void clear(struct fixture *f)
{
  sweep_space_clear(&f->space);
  platform_free(f->platform);
}

static void search(const struct fixture *f, bool whole, uint32_t parallel, struct sweep_found *out)
{
  const struct sweep_options o = {.sim = &f->sim, .most = 10, .whole = whole, .parallel = parallel};
  struct err e = {{0}};
  if (sweep_search(out, (struct sweep_space *)&f->space, &o, f->platform, &e) != OK)
    fail_msg("%s", e.text);
}

/* The results of the search and of the full search in a case. */
struct found {
  struct fixture f;
  struct sweep_found part, all;
};

static void find(struct found *x, const struct a_case *c)
{
  make(&x->f, c);
  search(&x->f, false, 1, &x->part);
  search(&x->f, true, 1, &x->all);
}

static void forget(struct found *x)
{
  sweep_found_clear(&x->part);
  sweep_found_clear(&x->all);
  clear(&x->f);
}

static double operations_of(const struct fixture *f, size_t choice)
{
  const struct sweep_program *g = &f->space.program[f->space.choice[choice].program];
  double sum = 0;
  for (uint32_t r = 0; r < g->ranks; r++)
    sum += (double)(g->operations[r].before + g->operations[r].loop + g->operations[r].after);
  return sum;
}

static uint64_t iterations_of(const struct fixture *f, size_t choice)
{
  return f->space.program[f->space.choice[choice].program].loop.iterations;
}

static void the_best_of_the_full_search_is_found(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct found x;
    find(&x, &CASES[i]);
    const struct sweep_found *part = &x.part, *all = &x.all;
    const double best = all->result[all->best].forecast.time_s;
    const double found = all->result[part->best].forecast.time_s;
    if (!(found <= best * (1 + 1e-9)))
      fail_msg("case %zu: choice %zu takes %.9g s, %zu takes %.9g s", i, part->best, found,
               all->best, best);
    if (!(part->cost > 0 && part->cost < CASES[i].most * part->full))
      fail_msg("case %zu: %g of %g operations", i, part->cost, part->full);
    forget(&x);
  }
}

/* The cost is exactly the number of operations in all iterations begun. */
static void all_operations_are_counted(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct fixture f;
    make(&f, &CASES[i]);
    for (int whole = 0; whole < 2; whole++) {
      struct sweep_found x;
      double cost = 0, full = 0;
      search(&f, whole == 1, 1, &x);
      for (size_t k = 0; k < f.space.choices; k++) {
        full += operations_of(&f, k);
        cost += x.result[k].iterations * operations_of(&f, k) / (double)iterations_of(&f, k);
      }
      if (fabs(x.full - full) > 0.5 || fabs(x.cost - cost) > 1e-6 * full ||
          (whole == 1 && x.cost != full))
        fail_msg("case %zu: cost %g of %g, full search %g of %g", i, x.cost, cost, x.full, full);
      sweep_found_clear(&x);
    }
    clear(&f);
  }
}

/* A choice is skipped only because of its bound or because it equals another one.  A stopped
 * choice is slower than the best, and no choice is predicted to be faster. */
static void skipped_and_stopped_choices_are_slower(void **state)
{
  (void)state;
  size_t bounded = 0, stopped = 0;
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct found x;
    find(&x, &CASES[i]);
    const struct sweep_result *part = x.part.result, *all = x.all.result;
    const double best = part[x.part.best].forecast.time_s;
    const double least = all[x.part.best].forecast.time_s;
    for (size_t k = 0; k < x.f.space.choices; k++) {
      const struct forecast *told = &part[k].forecast;
      const bool left_out = isnan(told->time_s);
      const bool is_stopped = !left_out && part[k].iterations > 0 && told->simulated == 0;
      bounded += left_out;
      stopped += is_stopped;
      if (left_out && (part[k].iterations > 0 || x.f.space.choice[k].bound_s < best * (1 - 1e-3)))
        fail_msg("case %zu: choice %zu is left out", i, k);
      if (left_out || is_stopped)
        assert_true(all[k].forecast.time_s >= least * (1 - 1e-9));
      assert_false(told->time_s < best);
    }
    forget(&x);
  }
  if (bounded == 0 || stopped == 0)
    fail_msg("%zu left out, %zu stopped", bounded, stopped);
}

/* On a star of equal hosts, the positions of ranks do not matter. */
static void equal_choices_run_once(void **state)
{
  (void)state;
  static const struct a_case STAR = {"star:12", "1Gf", "npb:mg.S.{4,8}", NULL, 1};
  struct fixture f;
  struct sweep_found x;
  size_t ran[2] = {0};
  make(&f, &STAR);
  search(&f, false, 1, &x);
  for (size_t i = 0; i < f.space.choices; i++) {
    const struct sweep_choice *c = &f.space.choice[i];
    ran[c->program] += x.result[i].iterations > 0;
    for (size_t k = 0; k < i; k++)
      if (c->program == f.space.choice[k].program)
        assert_true(x.result[i].forecast.time_s == x.result[k].forecast.time_s);
  }
  assert_true(f.space.choices > 2);
  assert_int_equal(ran[0], 1);
  assert_int_equal(ran[1], 1);
  sweep_found_clear(&x);
  clear(&f);
}

static void any_number_of_processes_finds_the_same(void **state)
{
  (void)state;
  struct fixture f;
  struct sweep_found one, three;
  make(&f, &CASES[0]);
  search(&f, false, 1, &one);
  search(&f, false, 3, &three);
  assert_int_equal(one.best, three.best);
  assert_true(one.cost == three.cost);
  for (size_t i = 0; i < f.space.choices; i++)
    assert_memory_equal(&one.result[i], &three.result[i], sizeof one.result[i]);
  sweep_found_clear(&one);
  sweep_found_clear(&three);
  clear(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_of_the_full_search_is_found),
      cmocka_unit_test(all_operations_are_counted),
      cmocka_unit_test(skipped_and_stopped_choices_are_slower),
      cmocka_unit_test(equal_choices_run_once),
      cmocka_unit_test(any_number_of_processes_finds_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The iterations of a program, and the attribution of a simulated time to pairs of ranks. */
#include "setup/runs/simulator.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/opened.h"
#include "tests/unit/scratch.h"

enum { RANKS = 5 };

/* A message goes from rank 0 over 1 to 2 while ranks 3 and 4 exchange another one. */
static const char *const FILES[RANKS] = {
    "0 send 1 0 1e6\n", "1 recv 0 0 1e6\n1 send 2 0 1e6\n", "2 recv 1 0 1e6\n", "3 send 4 0 1e6\n",
    "4 recv 3 0 1e6\n",
};

struct bench {
  struct reading reading;
  struct input_trace trace;
  struct platform *platform;
  struct sim_options options;
  struct simulator *simulator;
};

static void set_up(struct bench *b, const char *engine)
{
  struct err e = {{0}};
  *b = (struct bench){.reading = reading_defaults(), .options = sim_defaults()};
  b->trace = (struct input_trace){.name = "index", .reading = &b->reading};
  scratch_write("index", "one.0\none.1\none.2\none.3\none.4\n");
  for (int r = 0; r < RANKS; r++) {
    char name[16];
    snprintf(name, sizeof name, "one.%d", r);
    scratch_write(name, FILES[r]);
  }
  b->platform = opened_platform("torus:8");
  b->options.engine = registry_get(&engines, engine, &e);
  if (b->options.engine == NULL ||
      simulator_new(&b->simulator, &b->options, b->platform, &b->trace, 1, &e) != OK)
    fail_msg("%s", e.text);
}

static void tear_down(struct bench *b)
{
  simulator_free(b->simulator);
  input_trace_clear(&b->trace);
  platform_free(b->platform);
}

static double time_of(const struct mapper_simulator *s, const uint32_t *host)
{
  struct err e = {{0}};
  struct mapper_trial t = {.host = host, .stop = MAPPER_END};
  for (int k = 0; k < MAPPER_POINTS; k++)
    t.limit_s[k] = INFINITY;
  if (s->run(s->data, &t, 1, 1, &e) != OK)
    fail_msg("%s", e.text);
  return t.passed_s[MAPPER_END];
}

/* Time of the pair, or -1. */
static double cost(const struct mapper_blame *blame, size_t count, uint32_t src, uint32_t dst)
{
  double found = -1;
  for (size_t i = 0; i < count; i++)
    if (blame[i].src == src && blame[i].dst == dst) {
      assert_true(found == -1);
      found = blame[i].seconds;
    }
  return found;
}

/* Without computation, the pairs on the critical path take all of the time, and a pair that shares
 * a link with them costs the time that they lose there. */
static void pairs_cost_the_time(void **state)
{
  (void)state;
  static const struct {
    uint32_t host[RANKS];
    bool shared;
  } CASES[] = {{{0, 1, 2, 5, 6}, false}, {{0, 2, 3, 1, 4}, true}};
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct bench b;
    struct mapper_blame *blame;
    size_t count;
    struct err e = {{0}};
    set_up(&b, "flow");
    const struct mapper_simulator s = simulator_of(b.simulator);
    if (s.blame(s.data, CASES[i].host, &blame, &count, &e) != OK)
      fail_msg("%s", e.text);
    const double sum = cost(blame, count, 0, 1) + cost(blame, count, 1, 2);
    const double time_s = time_of(&s, CASES[i].host);
    if (!(fabs(sum / time_s - 1) < 1e-12))
      fail_msg("the pairs cost %.17g s of %.17g s", sum, time_s);
    assert_true(CASES[i].shared ? cost(blame, count, 3, 4) > 0 : cost(blame, count, 3, 4) <= 0);
    free(blame);
    tear_down(&b);
  }
}

/* The steps of Linpack become shorter: none of them is typical of the program. */
static void linpack_is_one_iteration(void **state)
{
  (void)state;
  static const struct {
    const char *trace;
    uint64_t iterations;
  } ROWS[] = {{"npb:cg.S.4@3", 3}, {"ring:4:iterations=5", 5}, {"hpl:N=640,NB=64,P=2,Q=2", 1}};
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    struct err e = {{0}};
    struct bench b = {.reading = reading_defaults(), .options = sim_defaults()};
    b.trace = (struct input_trace){.name = ROWS[i].trace, .reading = &b.reading};
    b.platform = opened_platform("torus:8");
    if (simulator_new(&b.simulator, &b.options, b.platform, &b.trace, 1, &e) != OK)
      fail_msg("%s", e.text);
    assert_int_equal(simulator_of(b.simulator).iterations, ROWS[i].iterations);
    tear_down(&b);
  }
}

static void other_engines_cannot_tell(void **state)
{
  (void)state;
  struct bench b;
  set_up(&b, "simgrid");
  assert_null(simulator_of(b.simulator).blame);
  tear_down(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(linpack_is_one_iteration),
      IN_FOLDER(pairs_cost_the_time),
      IN_FOLDER(other_engines_cannot_tell),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

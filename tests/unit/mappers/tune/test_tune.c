/* Mapper tune with a simulator that can be calculated by hand. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/mappers/merge.h"

#include "tests/unit/mappers/fake_simulator.h"

/* A chain of ranks: each sends to the next one. */
static struct matrix chain(uint32_t ranks)
{
  struct matrix m = {.ranks = ranks};
  m.entry = calloc(ranks, sizeof *m.entry);
  assert_non_null(m.entry);
  for (uint32_t r = 0; r + 1 < ranks; r++)
    m.entry[m.count++] = (struct matrix_entry){r, r + 1, 1000, 100000};
  return m;
}

struct bench {
  struct platform *platform;
  struct matrix traffic;
  struct mapper_input in;
  struct fake_simulator fake;
  struct mapper_simulator simulator;
};

static void set_up(struct bench *b, const char *platform, uint32_t ranks, uint32_t per_host)
{
  *b = (struct bench){.platform = opened_platform(platform), .traffic = chain(ranks)};
  b->in = (struct mapper_input){.platform = b->platform,
                                .traffic = &b->traffic,
                                .ranks = ranks,
                                .ranks_per_host = per_host,
                                .threads = 1,
                                .simulator = &b->simulator};
  b->fake = fake_of(&b->in);
  b->simulator = fake_simulator(&b->fake);
}

static void tear_down(struct bench *b)
{
  matrix_clear(&b->traffic);
  platform_free(b->platform);
}

static double time_of(struct bench *b, const char *spec)
{
  struct mapping m = mapped(spec, &b->in);
  const double time_s = fake_time(&b->fake, m.host);
  mapping_clear(&m);
  return time_s;
}

/* From a random start, within the limit of runs, at least half of the possible gain is reached. */
static void tune_finds_better_mappings(void **state)
{
  (void)state;
  static const struct {
    const char *platform;
    uint32_t ranks, per_host;
  } CASES[] = {{"torus:4x4", 16, 1},
               {"mesh:5x3", 12, 1},
               {"fattree:k=4", 16, 1},
               {"star:7", 13, 2},
               {"hypercube:4", 9, 1}};
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct bench b;
    set_up(&b, CASES[i].platform, CASES[i].ranks, CASES[i].per_host);
    const double least_s = 1 + 0.1 * ((CASES[i].ranks - 1) / CASES[i].per_host);
    const double random_s = time_of(&b, "random:seed=5");
    const double tuned_s = time_of(&b, "tune:runs=200,start=random:seed=5");
    if (tuned_s - least_s > 0.5 * (random_s - least_s))
      fail_msg("%s: %g s of random become %g s; the least is %g s", CASES[i].platform, random_s,
               tuned_s, least_s);
    if (b.fake.work > 200 + 16)
      fail_msg("%s: %g runs instead of 200", CASES[i].platform, b.fake.work);
    tear_down(&b);
  }
}

/* The result is never worse than the start mappings, whatever the limit of runs. */
static void tune_is_no_worse_than_its_starts(void **state)
{
  (void)state;
  static const char *const OTHER[] = {"auto", "greedy", "xyz", "bisect", "hostname", "fmopt"};
  static const char *const SPEC[] = {"tune:runs=0", "tune:runs=1", "tune:runs=20,seed=7"};
  struct bench b;
  set_up(&b, "torus:4x4", 16, 1);
  for (size_t i = 0; i < COUNT(SPEC); i++)
    for (size_t k = 0; k < COUNT(OTHER); k++) {
      const double tuned_s = time_of(&b, SPEC[i]), other_s = time_of(&b, OTHER[k]);
      if (tuned_s > other_s)
        fail_msg("%s: %g s; %s: %g s", SPEC[i], tuned_s, OTHER[k], other_s);
    }
  tear_down(&b);
}

/* Each rank sends to up to two others, without structure. */
static struct matrix tangle(void)
{
  struct matrix m = {.ranks = 16};
  m.entry = calloc(32, sizeof *m.entry);
  assert_non_null(m.entry);
  for (uint32_t r = 0; r < 16; r++)
    for (uint32_t to = 0; to < 16; to++)
      if (to != r && (to == r * r % 13 || to == (r * r * r + 5) % 16))
        m.entry[m.count++] = (struct matrix_entry){r, to, 1000, 100000};
  return m;
}

/* The best start mapping is a local optimum, while another one leads to a shorter time. */
static void tune_escapes_the_local_optimum_of_its_best_start(void **state)
{
  (void)state;
  struct bench b;
  struct mapping trap;
  struct err e;
  set_up(&b, "star:16", 16, 1);
  matrix_clear(&b.traffic);
  b.traffic = tangle();
  assert_int_equal(mapper_run("hostname", &b.in, &trap, &e), OK);
  const double free_s = time_of(&b, "tune:runs=2000");
  b.fake.trap = trap.host;
  b.fake.trap_s = free_s + 0.5;
  const double tuned_s = time_of(&b, "tune:runs=2000");
  if (tuned_s >= b.fake.trap_s)
    fail_msg("%g s; the local optimum has %g s, the best mapping without it %g s", tuned_s,
             b.fake.trap_s, free_s);
  mapping_clear(&trap);
  tear_down(&b);
}

/* With a base of 10,000 s, the possible gain is below the effect of rounding and is ignored. */
static void gains_below_rounding_are_ignored(void **state)
{
  (void)state;
  struct bench b;
  struct mapping start, tuned;
  struct err e;
  set_up(&b, "torus:4x4", 16, 1);
  b.fake.base_s = 1e4;
  assert_int_equal(mapper_run("random:seed=5", &b.in, &start, &e), OK);
  assert_int_equal(mapper_run("tune:runs=50,start=random:seed=5", &b.in, &tuned, &e), OK);
  assert_memory_equal(start.host, tuned.host, 16 * sizeof *start.host);
  mapping_clear(&tuned);
  b.fake.base_s = 1;
  assert_int_equal(mapper_run("tune:runs=50,start=random:seed=5", &b.in, &tuned, &e), OK);
  assert_memory_not_equal(start.host, tuned.host, 16 * sizeof *start.host);
  mapping_clear(&tuned);
  mapping_clear(&start);
  tear_down(&b);
}

/* Mappings do not depend on the number of threads or on repetition; another seed changes them. */
static void mappings_repeat(void **state)
{
  (void)state;
  static const struct {
    uint32_t threads;
    const char *spec;
  } CASES[] = {{1, "tune:runs=30"}, {3, "tune:runs=30,seed=1"}, {0, "tune:runs=30"}};
  struct mapping first, m;
  struct bench b;
  struct err e;
  set_up(&b, "mesh:4x4", 14, 1);
  for (size_t i = 0; i < COUNT(CASES); i++) {
    b.in.threads = CASES[i].threads;
    assert_int_equal(mapper_run(CASES[i].spec, &b.in, &m, &e), OK);
    if (i == 0)
      first = m;
    else {
      assert_memory_equal(m.host, first.host, 14 * sizeof *m.host);
      mapping_clear(&m);
    }
  }
  mapping_clear(&first);
  tear_down(&b);
}

static void a_time_limit_ends_the_search(void **state)
{
  (void)state;
  struct bench b;
  set_up(&b, "torus:4x4", 16, 1);
  assert_true(time_of(&b, "tune:time=100ms,start=random") < time_of(&b, "random"));
  tear_down(&b);
}

static void one_rank_or_one_host_is_accepted(void **state)
{
  (void)state;
  static const struct {
    const char *platform;
    uint32_t ranks, per_host;
  } CASES[] = {{"torus:1", 1, 1}, {"torus:1", 3, 4}, {"torus:5", 1, 1}, {"torus:2", 2, 1}};
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct bench b;
    set_up(&b, CASES[i].platform, CASES[i].ranks, CASES[i].per_host);
    assert_true(time_of(&b, "tune:runs=20") < 2);
    tear_down(&b);
  }
}

static void refusals(void **state)
{
  (void)state;
  static const struct {
    const char *spec, *message;
  } CASES[] = {
      {"tune:time=fast", "mapper 'tune': time: "},
      {"tune:time=-1", "mapper 'tune': time: "},
      {"tune:runs=-1", "mapper 'tune': runs: "},
      {"tune:runs=1000000001", "mapper 'tune': runs: "},
      {"tune:seed=x", "mapper 'tune': seed: "},
      {"tune:start=tune", "mapper 'tune': start: mapper 'tune' simulates mappings itself"},
      {"tune:start=hostname-best",
       "mapper 'tune': start: mapper 'hostname-best' simulates mappings itself"},
      {"tune:start=nosuch", "unknown mapper 'nosuch'"},
      {"tune:start=random:seed=x", "mapper 'random': seed: "},
      {"tune:start=geometry", "star:16: mapper 'geometry' needs a torus"},
      {"tune:effort=1", "mapper 'tune': no option 'effort'; options: time, runs, seed, start"},
  };
  struct bench b;
  set_up(&b, "star:16", 16, 1);
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct mapping m;
    struct err e;
    assert_int_equal(mapper_run(CASES[i].spec, &b.in, &m, &e), FAIL);
    if (strncmp(e.text, CASES[i].message, strlen(CASES[i].message)) != 0)
      fail_msg("%s: '%s' instead of '%s'", CASES[i].spec, e.text, CASES[i].message);
  }
  tear_down(&b);
}

/* Engines that record no causes cannot tell which pairs cost time. */
static void attribution_is_optional(void **state)
{
  (void)state;
  struct bench b;
  set_up(&b, "torus:4x4", 16, 1);
  const double random_s = time_of(&b, "random:seed=5");
  assert_true(time_of(&b, "tune:runs=100,start=random:seed=5") < random_s);
  assert_in_range(b.fake.blames, 1, 10);
  b.fake.blames = 0;
  b.simulator.blame = NULL;
  assert_true(time_of(&b, "tune:runs=100,start=random:seed=5") < random_s);
  assert_int_equal(b.fake.blames, 0);
  tear_down(&b);
}

static void tune_needs_a_working_simulator(void **state)
{
  (void)state;
  struct bench b;
  struct mapping m;
  struct err e;
  set_up(&b, "torus:4x4", 16, 1);
  for (uint32_t at = 1; at < 50; at += 9) {
    b.fake.trials = 0;
    b.fake.fails_at = at;
    assert_int_equal(mapper_run("tune:runs=50", &b.in, &m, &e), FAIL);
    assert_memory_equal(e.text, "trial ", 6);
  }
  b.fake.fails_at = 0;
  b.fake.blame_fails = true;
  assert_int_equal(mapper_run("tune:runs=50", &b.in, &m, &e), FAIL);
  assert_string_equal(e.text, "the attribution fails");
  b.in.simulator = NULL;
  assert_int_equal(mapper_run("tune", &b.in, &m, &e), FAIL);
  assert_string_equal(e.text, "mapper 'tune' simulates mappings: it needs a trace");
  b.in.simulator = &b.simulator;
  b.in.traffic = NULL;
  assert_int_equal(mapper_run("tune", &b.in, &m, &e), FAIL);
  assert_string_equal(e.text, "mapper 'tune' needs the traffic of a trace or a matrix");
  tear_down(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tune_finds_better_mappings),
      cmocka_unit_test(tune_is_no_worse_than_its_starts),
      cmocka_unit_test(tune_escapes_the_local_optimum_of_its_best_start),
      cmocka_unit_test(gains_below_rounding_are_ignored),
      cmocka_unit_test(mappings_repeat),
      cmocka_unit_test(a_time_limit_ends_the_search),
      cmocka_unit_test(one_rank_or_one_host_is_accepted),
      cmocka_unit_test(refusals),
      cmocka_unit_test(attribution_is_optional),
      cmocka_unit_test(tune_needs_a_working_simulator),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The mapping of auto:choose= is no worse than the mappings of xyz, greedy and
 * auto:choose=hopbytes, by the measure that the option names. The budget of simulations is kept,
 * and the number of threads changes nothing. */
#include <math.h>
#include <string.h>

#include "mappers/estimate.h"
#include "mappers/general/candidates.h"
#include "mappers/general/choose.h"
#include "mappers/refine/search.h"
#include "tests/unit/mappers/fake_simulator.h"
#include "tests/unit/mappers/merge.h"

static const char *const PLATFORMS[] = {"torus:4x4", "fattree:k=4", "mesh:5x4",
                                        "random-clusters:hosts=24,sizes=8+16,seed=4"};

enum { CASES = sizeof PLATFORMS / sizeof *PLATFORMS, RANKS = 14 };

static struct mapping map(const char *spec, const struct mapper_input *in)
{
  struct mapping m;
  struct err e;
  if (mapper_run(spec, in, &m, &e) != OK)
    fail_msg("%s: %s", spec, e.text);
  return m;
}

static struct mapper_input input(struct platform *p, const struct matrix *m)
{
  return (struct mapper_input){.platform = p, .traffic = m, .ranks = RANKS, .ranks_per_host = 1};
}

/* The fake simulator measures distances by host numbers, which differ from hops. */
static void the_least_simulated_time_wins(void **state)
{
  (void)state;
  for (size_t i = 0; i < CASES; i++) {
    struct rng r = rng_new(i, 9);
    struct platform *p = opened_platform(PLATFORMS[i]);
    struct matrix traffic = merge_random_traffic(&r, RANKS, 300);
    struct mapper_input in = input(p, &traffic);
    struct fake_simulator fake = fake_of(&in);
    const struct mapper_simulator simulator = fake_simulator(&fake);
    in.simulator = &simulator;
    struct mapping chosen = map("auto:choose=time,budget=10", &in);
    assert_true(fake.work <= 10);
    static const char *const OTHERS[] = {"xyz", "greedy", "auto", "auto:objective=blend"};
    for (size_t k = 0; k < COUNT(OTHERS); k++) {
      struct mapping other = map(OTHERS[k], &in);
      assert_true(fake_time(&fake, chosen.host) <= fake_time(&fake, other.host) * 1.0015);
      mapping_clear(&other);
    }
    mapping_clear(&chosen);
    matrix_clear(&traffic);
    platform_free(p);
  }
}

static enum status get_phases(void *data, const struct phases **out, struct err *e)
{
  (void)e;
  *out = data;
  return OK;
}

/* With 1000 s of computation, the simulated times of the candidates differ by less than
 * TRIALS_CHAOS. Their times without computation still decide. */
static void differences_are_found_beside_long_computations(void **state)
{
  (void)state;
  for (size_t i = 0; i < 3; i++) { /* hosts of one speed */
    struct rng r = rng_new(i, 10);
    struct platform *p = opened_platform(PLATFORMS[i]);
    struct matrix traffic = merge_random_traffic(&r, RANKS, 300);
    struct mapper_input in = input(p, &traffic);
    struct fake_simulator fake = fake_of(&in);
    const struct mapper_simulator simulator = fake_simulator(&fake);
    struct phases phases;
    struct err e;
    assert_int_equal(phases_of_matrix(&phases, &traffic, RANKS, &e), OK);
    fake.base_s = 1000;
    for (uint32_t k = 0; k < RANKS; k++)
      phases.flops[k] = fake.base_s * platform_host_speed(p, 0);
    const struct mapper_phases get = {&phases, get_phases};
    in.simulator = &simulator;
    in.phases = &get;
    in.model.compute_scale = 1;
    struct mapping chosen = map("auto:choose=time,budget=16", &in);
    static const char *const OTHERS[] = {"xyz", "greedy", "auto:choose=hopbytes"};
    for (size_t k = 0; k < COUNT(OTHERS); k++) {
      struct mapping other = map(OTHERS[k], &in);
      assert_true(fake_time(&fake, chosen.host) - fake.base_s <=
                  (fake_time(&fake, other.host) - fake.base_s) * 1.0015);
      mapping_clear(&other);
    }
    mapping_clear(&chosen);
    phases_clear(&phases);
    matrix_clear(&traffic);
    platform_free(p);
  }
}

/* The mapping of greedy is fast, all others are slow.  A simulation that fails is an error. */
static void a_fast_candidate_is_found(void **state)
{
  (void)state;
  struct rng r = rng_new(3, 9);
  struct platform *p = opened_platform("torus:4x4");
  struct matrix traffic = merge_random_traffic(&r, RANKS, 300);
  struct mapper_input in = input(p, &traffic);
  struct mapping greedy = map("greedy", &in);
  struct fake_simulator fake = fake_of(&in);
  const struct mapper_simulator simulator = fake_simulator(&fake);
  in.simulator = &simulator;
  fake.trap = greedy.host;
  fake.trap_s = 0.1;
  struct mapping chosen = map("auto:choose=time", &in);
  assert_memory_equal(chosen.host, greedy.host, RANKS * sizeof *greedy.host);
  fake.fails_at = fake.trials + 3;
  struct mapping unused;
  struct err e;
  assert_int_equal(mapper_run("auto:choose=time", &in, &unused, &e), FAIL);
  mapping_clear(&chosen);
  mapping_clear(&greedy);
  matrix_clear(&traffic);
  platform_free(p);
}

/* A later mapping wins if it is faster by more than 1 % and the budget suffices for both runs. */
static void the_fastest_of_given_mappings_is_chosen(void **state)
{
  (void)state;
  struct rng r = rng_new(3, 9);
  struct platform *p = opened_platform("torus:4x4");
  struct matrix traffic = merge_random_traffic(&r, RANKS, 300);
  struct mapper_input in = input(p, &traffic);
  struct mapping xyz = map("xyz", &in), other = map("random:seed=2", &in);
  struct fake_simulator fake = fake_of(&in);
  const struct mapper_simulator simulator = fake_simulator(&fake);
  const uint32_t *host[] = {xyz.host, other.host};
  const double first_s = fake_time(&fake, xyz.host);
  const struct {
    double time_s, budget;
    uint32_t best;
  } rows[] = {{0.9 * first_s, 2, 1}, {0.985 * first_s, 2, 1},  {0.995 * first_s, 2, 0},
              {1.1 * first_s, 2, 0}, {0.9 * first_s, 0.25, 1}, {0.9 * first_s, 0.001, 0}};
  in.simulator = &simulator;
  fake.trap = other.host;
  for (size_t i = 0; i < COUNT(rows); i++) {
    uint32_t best;
    struct err e;
    fake.trap_s = rows[i].time_s;
    fake.work = 0;
    assert_int_equal(choose_fastest(&in, host, 2, rows[i].budget, &best, &e), OK);
    assert_int_equal(best, rows[i].best);
    assert_true(fake.work <= rows[i].budget);
  }
  mapping_clear(&xyz);
  mapping_clear(&other);
  matrix_clear(&traffic);
  platform_free(p);
}

static double blend(const struct mapper_input *in, const struct mapping *m)
{
  swaps_value v;
  struct err e;
  assert_int_equal(search_value(m->host, in, OBJECTIVE_BLEND, &v, &e), OK);
  return (double)v;
}

static double estimated(const struct mapper_input *in, const struct mapping *m)
{
  struct estimate *x;
  double time_s;
  struct err e;
  assert_int_equal(estimate_new(&x, in, &e), OK);
  assert_int_equal(estimate_time(x, m->host, &time_s, &e), OK);
  estimate_free(x);
  return time_s;
}

static swaps_value value_of(const struct mapper_input *in, enum objective objective,
                            const struct mapping *m)
{
  swaps_value v;
  struct err e;
  assert_int_equal(search_value(m->host, in, objective, &v, &e), OK);
  return v;
}

/* If only a matrix is given, the cables of hosts carry the largest load in every mapping, so the
 * load of links between switches decides.  The chosen mapping has no more hop-bytes than xyz. */
static void links_between_switches_decide(void **state)
{
  (void)state;
  static const char *const TREES[] = {"fattree:down=4x8,up=1x4,cables=1x1", "fattree:k=4,levels=4",
                                      "dragonfly:groups=4,chassis=2,routers=4,nodes=1"};
  uint32_t less = 0;
  for (size_t i = 0; i < COUNT(TREES); i++)
    for (uint64_t seed = 0; seed < 4; seed++) {
      struct rng r = rng_new(seed, 13);
      struct platform *p = opened_platform(TREES[i]);
      struct matrix traffic = merge_random_traffic(&r, 32, 80);
      const struct mapper_input in = {
          .platform = p, .traffic = &traffic, .ranks = 32, .ranks_per_host = 1};
      struct mapping chosen = map("auto", &in), xyz = map("xyz", &in),
                     hops = map("auto:choose=hopbytes", &in);
      const swaps_value load = value_of(&in, OBJECTIVE_LINKLOAD, &chosen) >> 64;
      assert_true(estimated(&in, &chosen) <= estimated(&in, &xyz) * 1.01);
      assert_true(load <= value_of(&in, OBJECTIVE_LINKLOAD, &hops) >> 64);
      assert_true(value_of(&in, OBJECTIVE_HOPBYTES, &chosen) <=
                  value_of(&in, OBJECTIVE_HOPBYTES, &xyz));
      less += load < value_of(&in, OBJECTIVE_LINKLOAD, &hops) >> 64;
      mapping_clear(&hops);
      mapping_clear(&xyz);
      mapping_clear(&chosen);
      matrix_clear(&traffic);
      platform_free(p);
    }
  assert_true(less >= 8); /* of 12 */
}

/* Without a simulator, the best mapping by blend or by estimated time is chosen, up to a difference
 * of 1 %. */
static void estimates_choose_without_a_simulator(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    double (*value)(const struct mapper_input *in, const struct mapping *m);
  } ROWS[] = {{"auto:choose=blend", blend}, {"auto:choose=time", estimated}};
  for (size_t i = 0; i < CASES; i++)
    for (size_t k = 0; k < COUNT(ROWS); k++) {
      struct rng r = rng_new(i, 11);
      struct platform *p = opened_platform(PLATFORMS[i]);
      struct matrix traffic = merge_random_traffic(&r, RANKS, 300);
      struct mapper_input in = input(p, &traffic);
      in.threads = 1;
      struct mapping chosen = map(ROWS[k].spec, &in);
      in.threads = 3;
      struct mapping again = map(ROWS[k].spec, &in);
      assert_memory_equal(chosen.host, again.host, RANKS * sizeof *again.host);
      static const char *const OTHERS[] = {"xyz", "greedy", "auto"};
      for (size_t n = 0; n < COUNT(OTHERS); n++) {
        struct mapping other = map(OTHERS[n], &in);
        assert_true(ROWS[k].value(&in, &chosen) <= ROWS[k].value(&in, &other) * 1.01);
        mapping_clear(&other);
      }
      mapping_clear(&again);
      mapping_clear(&chosen);
      matrix_clear(&traffic);
      platform_free(p);
    }
}

static void make(struct candidates *c, const struct mapper_input *in)
{
  const struct general_plan plan = {.effort = 1, .seed = 1};
  struct err e;
  assert_int_equal(candidates_make(c, in, &plan, OBJECTIVE_TIME, &e), OK);
}

/* With too small a budget for simulations, the least hop-bytes win among the candidates whose
 * estimates exceed the least by at most 3 %. */
static void hop_bytes_decide_without_simulations(void **state)
{
  (void)state;
  uint32_t others = 0;
  for (size_t i = 0; i < CASES; i++) {
    struct rng r = rng_new(i, 14);
    struct platform *p = opened_platform(PLATFORMS[i]);
    struct matrix traffic = merge_random_traffic(&r, RANKS, 300);
    struct mapper_input in = input(p, &traffic);
    struct fake_simulator fake = fake_of(&in);
    const struct mapper_simulator simulator = fake_simulator(&fake);
    struct candidates c;
    double least_s = INFINITY;
    in.simulator = &simulator;
    struct mapping chosen = map("auto:choose=time,budget=0.01", &in);
    const swaps_value hop_bytes = value_of(&in, OBJECTIVE_HOPBYTES, &chosen);
    assert_true(fake.work == 0);
    make(&c, &in);
    for (uint32_t k = 0; k < c.count; k++)
      least_s = fmin(least_s, c.candidate[k].value);
    assert_true(estimated(&in, &chosen) <= 1.03 * least_s);
    for (uint32_t k = 0; k < c.count; k++) {
      const struct mapping m = {.ranks = RANKS, .host = c.candidate[k].host};
      const swaps_value other = value_of(&in, OBJECTIVE_HOPBYTES, &m);
      assert_true(other >= hop_bytes || c.candidate[k].value > 1.03 * least_s);
      others += other > hop_bytes && c.candidate[k].value == least_s;
    }
    candidates_clear(&c);
    mapping_clear(&chosen);
    matrix_clear(&traffic);
    platform_free(p);
  }
  assert_true(others > 0);
}

static bool has(const struct candidates *c, const struct mapping *m)
{
  for (uint32_t i = 0; i < c->count; i++)
    if (memcmp(c->candidate[i].host, m->host, m->ranks * sizeof *m->host) == 0)
      return true;
  return false;
}

static void planes_are_candidates(void **state)
{
  (void)state;
  struct rng r = rng_new(1, 15);
  struct platform *p = opened_platform("fattree:k=4");
  struct matrix traffic = merge_random_traffic(&r, 36, 300);
  struct mapper_input in = input(p, &traffic);
  struct phases phases;
  struct err e;
  assert_int_equal(phases_of_matrix(&phases, &traffic, 36, &e), OK);
  const struct mapper_phases get = {&phases, get_phases};
  in.ranks = 36;
  in.phases = &get;
  static const struct {
    const char *spec;
    uint32_t ranks_per_host;
    bool is;
  } ROWS[] = {{"slurm-cyclic", 12, true},         {"slurm-cyclic:plane=2", 12, true},
              {"slurm-cyclic:plane=4", 12, true}, {"slurm-cyclic:plane=3", 12, false},
              {"slurm-cyclic", 3, true},          {"slurm-cyclic:plane=2", 3, false}};
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    struct candidates c;
    in.ranks_per_host = ROWS[i].ranks_per_host;
    struct mapping m = map(ROWS[i].spec, &in);
    make(&c, &in);
    assert_int_equal(has(&c, &m), ROWS[i].is);
    candidates_clear(&c);
    mapping_clear(&m);
  }
  phases_clear(&phases);
  matrix_clear(&traffic);
  platform_free(p);
}

enum { SIDE = 8 };

/* A grid of SIDE x SIDE ranks. */
static struct matrix grid_traffic(void)
{
  struct matrix m = {.ranks = SIDE * SIDE};
  m.entry = calloc(4 * SIDE * SIDE, sizeof *m.entry);
  assert_non_null(m.entry);
  for (uint32_t r = 0; r < m.ranks; r++)
    for (uint32_t to = 0; to < m.ranks; to++) {
      const uint32_t apart = (to > r ? to - r : r - to);
      if (apart == SIDE || (apart == 1 && to / SIDE == r / SIDE))
        m.entry[m.count++] = (struct matrix_entry){r, to, 1, 65536};
    }
  return m;
}

/* auto:choose=quick has at most 10 % more hop-bytes than auto:choose=hopbytes on a grid of ranks.
 * For traffic without structure, both give the same mapping. */
static void a_quick_mapping_has_few_hop_bytes(void **state)
{
  (void)state;
  static const char *const GRIDS[] = {"torus:8x8", "fattree:down=8x8,up=1x2,cables=1x1",
                                      "dragonfly:groups=4,chassis=2,routers=4,nodes=2"};
  struct matrix grid = grid_traffic();
  for (size_t i = 0; i < COUNT(GRIDS); i++) {
    struct platform *p = opened_platform(GRIDS[i]);
    struct mapper_input in = input(p, &grid);
    in.ranks = grid.ranks;
    struct mapping quick = map("auto:choose=quick", &in), hops = map("auto:choose=hopbytes", &in);
    assert_true((double)value_of(&in, OBJECTIVE_HOPBYTES, &quick) <=
                1.1 * (double)value_of(&in, OBJECTIVE_HOPBYTES, &hops));
    mapping_clear(&quick);
    mapping_clear(&hops);
    platform_free(p);
  }
  matrix_clear(&grid);
  for (size_t i = 0; i < CASES; i++) {
    struct rng r = rng_new(i, 13);
    struct platform *p = opened_platform(PLATFORMS[i]);
    struct matrix traffic = merge_random_traffic(&r, RANKS, 300);
    struct mapper_input in = input(p, &traffic);
    struct mapping quick = map("auto:choose=quick", &in), hops = map("auto:choose=hopbytes", &in);
    assert_memory_equal(quick.host, hops.host, RANKS * sizeof *hops.host);
    mapping_clear(&quick);
    mapping_clear(&hops);
    matrix_clear(&traffic);
    platform_free(p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_least_simulated_time_wins),
      cmocka_unit_test(differences_are_found_beside_long_computations),
      cmocka_unit_test(a_fast_candidate_is_found),
      cmocka_unit_test(the_fastest_of_given_mappings_is_chosen),
      cmocka_unit_test(links_between_switches_decide),
      cmocka_unit_test(estimates_choose_without_a_simulator),
      cmocka_unit_test(hop_bytes_decide_without_simulations),
      cmocka_unit_test(planes_are_candidates),
      cmocka_unit_test(a_quick_mapping_has_few_hop_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "mappers/mapper.h"
#include "tests/unit/mappers/mapped.h"
#include "tests/unit/opened.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NAMES                                                                                      \
  "xyz, hostname, slurm-block, slurm-cyclic, random, auto, structure, geometry, bisect, greedy, "  \
  "anneal, hcube, exchange, file, command, none, mopt, fmopt, sfmopt, fmopt-half, qap, scotch, "   \
  "tune, hostname-best or hostname-worst"

/* The options common to all mappers. */
#define COMMON "refine, refine-objective, cores"

static void every_row_is_complete(void **state)
{
  (void)state;
  size_t n = 0;
  for (const struct mapper *m; (m = registry_at(&mappers, n)) != NULL; n++) {
    const struct mapper *found;
    struct err e;
    assert_true(mapper_is_spec(m->name));
    const bool needs_path = strcmp(m->name, "file") == 0 || strcmp(m->name, "command") == 0;
    if (!needs_path) {
      assert_int_equal(mapper_find(m->name, &found, NULL, &e), OK);
      assert_ptr_equal(found, m);
    }
    assert_non_null(m->help);
    for (size_t i = 0; m->options != NULL && m->options[i].name != NULL; i++) {
      assert_true(i < MAPPER_MAX_OPTIONS);
      assert_true(m->options[i].at + sizeof(uint64_t) <= MAPPER_RECORD);
      assert_true(m->options[i].default_value != NULL || needs_path);
      assert_non_null(m->options[i].help);
      if (strcmp(m->options[i].name, "seed") == 0)
        assert_int_equal(m->options[i].type, SPEC_U64);
    }
  }
  assert_true(n >= 4);
}

static void specs_are_distinguished_from_files(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    bool is_spec;
  } rows[] = {{"xyz", true},   {"random", true},   {"random:seed=3", true}, {"random:x", true},
              {"", false},     {"xy", false},      {"xyzt", false},         {"xyz.txt", false},
              {":xyz", false}, {"./random", false}};
  for (size_t i = 0; i < COUNT(rows); i++)
    assert_int_equal(mapper_is_spec(rows[i].text), rows[i].is_spec);
}

static void bad_specs_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *spec, *why;
  } rows[] = {
      {"", "unknown mapper ''; expected " NAMES},
      {"zyx:seed=1", "unknown mapper 'zyx'; expected " NAMES},
      {"xyz:seed=1", "mapper 'xyz': no option 'seed'; options: order, " COMMON},
      {"xyz:", "mapper 'xyz:' ends with a colon"},
      {"random:", "mapper 'random:' ends with a colon"},
      {"random:sede=1", "mapper 'random': no option 'sede'; options: seed, " COMMON},
      {"random:seed", "mapper 'random': option 'seed' has no value"},
      {"random:seed=", "mapper 'random': option 'seed' has no value"},
      {"random:seed=1,", "mapper 'random': no option ''; options: seed, " COMMON},
      {"random:seed=1,seed=2", "mapper 'random': option 'seed' is given twice"},
      {"greedy:start=0", "mapper 'greedy': no option 'start'; options: " COMMON},
      {"file:name=x", "mapper 'file': no option 'name'; options: path, " COMMON},
      {"file:path=", "mapper 'file': option 'path' has no value"},
      {"file:path", "mapper 'file': option 'path' has no value"},
      {"file:path,x=1", "mapper 'file': option 'path' has no value"},
      {"file", "mapper 'file': option 'path' is missing"},
      {"random:seed=-1", "mapper 'random': seed: '-1' is not a whole number"},
      {"xyz:refine=soon", "mapper 'xyz': refine: 'soon' is not a number"},
      {"file:paths=x", "mapper 'file': no option 'paths'; options: path, " COMMON},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    const struct mapper *found = NULL;
    struct err e;
    assert_int_equal(mapper_find(rows[i].spec, &found, NULL, &e), FAIL);
    assert_null(found);
    assert_string_equal(e.text, rows[i].why);
  }
}

static void bad_inputs_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *spec, *why;
    uint32_t ranks, ranks_per_host;
  } rows[] = {
      {"xyz", "5 ranks do not fit on 4 hosts of 1 rank", 5, 1},
      {"random", "9 ranks do not fit on 4 hosts of 2 ranks", 9, 2},
      {"xyz", "mapper 'xyz': no ranks to map", 0, 1},
      {"random:seed=x", "mapper 'random': seed: 'x' is not a whole number", 4, 1},
      {"random:seed=-1", "mapper 'random': seed: '-1' is not a whole number", 4, 1},
      {"random:seed", "mapper 'random': option 'seed' has no value", 4, 1},
      {"xyz:refine=1", "mapper 'xyz' needs the traffic of a trace or a matrix", 4, 1},
  };
  struct platform *p = opened_platform("torus:2x2");
  for (size_t i = 0; i < COUNT(rows); i++) {
    const struct mapper_input in = {
        .platform = p, .ranks = rows[i].ranks, .ranks_per_host = rows[i].ranks_per_host};
    struct mapping m = {.ranks = 99};
    struct err e;
    assert_int_equal(mapper_run(rows[i].spec, &in, &m, &e), FAIL);
    assert_string_equal(e.text, rows[i].why);
    assert_int_equal(m.ranks, 99);
  }
  platform_free(p);
}

static void options_are_added_once(void **state)
{
  (void)state;
  static const struct {
    const char *spec, *want;
  } rows[] = {{"random", "random:seed=7"},
              {"random:seed=3", "random:seed=3"},
              {"xyz", "xyz"},
              {"xyz:refine=1", "xyz:refine=1"},
              {"random:refine=1", "random:refine=1,seed=7"},
              {"tune:start=xyz", "tune:seed=7,start=xyz"},
              {"tune:seed=1,start=xyz", "tune:seed=1,start=xyz"},
              {"tune:runs=9", "tune:runs=9,seed=7"},
              {"file:path=a,seed=1", "file:path=a,seed=1"}};
  struct err e;
  for (size_t i = 0; i < COUNT(rows); i++) {
    char *got = mapper_with_seed(rows[i].spec, "7", &e);
    assert_non_null(got);
    assert_string_equal(got, rows[i].want);
    free(got);
  }
  assert_null(mapper_with_seed("random:sede=1", "7", &e));
  assert_string_equal(e.text, "mapper 'random': no option 'sede'; options: seed, " COMMON);
}

static void options_decide_whether_traffic_is_needed(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    bool needed;
  } rows[] = {{"xyz", false},
              {"xyz:refine=0", false},
              {"xyz:refine=1", true},
              {"random:seed=2,refine=work:5", true},
              {"greedy", true}};
  const struct mapper *found;
  struct err e;
  bool needed;
  for (size_t i = 0; i < COUNT(rows); i++) {
    assert_int_equal(mapper_find(rows[i].spec, &found, &needed, &e), OK);
    assert_int_equal(needed, rows[i].needed);
  }
  assert_int_equal(mapper_find("xyz:refin=1", &found, &needed, &e), FAIL);
}

static void only_a_choice_by_time_leaves_cores_to_the_caller(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    bool leaves;
  } rows[] = {{"auto", true},
              {"auto:seed=3,budget=1", true},
              {"auto:cores=each", false},
              {"auto:choose=blend", false},
              {"auto:choose=hopbytes", false},
              {"auto:objective=time", false},
              {"auto:refine=work:10", false},
              {"greedy", false},
              {"no-mapper", false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_int_equal(mapper_leaves_cores(rows[i].spec), rows[i].leaves);
}

static void xyz_fills_hosts_in_order(void **state)
{
  (void)state;
  struct platform *p = opened_platform("mesh:3x2");
  for (uint32_t k = 1; k <= 3; k++) {
    const struct mapper_input in = {.platform = p, .ranks = 6 * k, .ranks_per_host = k};
    struct mapping m = mapped("xyz", &in);
    for (uint32_t r = 0; r < m.ranks; r++)
      assert_int_equal(m.host[r], r / k);
    mapping_clear(&m);
  }
  platform_free(p);
}

static void random_depends_on_the_seed_alone(void **state)
{
  (void)state;
  struct platform *p = opened_platform("torus:4x4x4");
  const struct mapper_input in = {.platform = p, .ranks = 64, .ranks_per_host = 1, .threads = 2};
  struct mapping one = mapped("random", &in), same = mapped("random:seed=1", &in),
                 other = mapped("random:seed=2", &in);
  assert_memory_equal(one.host, same.host, 64 * sizeof *one.host);
  assert_memory_not_equal(one.host, other.host, 64 * sizeof *one.host);
  mapping_clear(&one);
  mapping_clear(&same);
  mapping_clear(&other);
  platform_free(p);
}

/* Two ranks on two hosts with two slots each: they share a host in 1/3 of the cases, and rank 0 is
 * on host 0 in 1/2. */
static void random_is_uniform_over_the_slots(void **state)
{
  (void)state;
  struct platform *p = opened_platform("torus:2");
  const struct mapper_input in = {.platform = p, .ranks = 2, .ranks_per_host = 2};
  int together = 0, first = 0;
  for (int seed = 0; seed < 3000; seed++) {
    char spec[32];
    snprintf(spec, sizeof spec, "random:seed=%d", seed);
    struct mapping m = mapped(spec, &in);
    together += m.host[0] == m.host[1];
    first += m.host[0] == 0;
    mapping_clear(&m);
  }
  assert_in_range(together, 900, 1100);
  assert_in_range(first, 1400, 1600);
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_is_complete),
      cmocka_unit_test(specs_are_distinguished_from_files),
      cmocka_unit_test(bad_specs_are_refused),
      cmocka_unit_test(bad_inputs_are_refused),
      cmocka_unit_test(options_are_added_once),
      cmocka_unit_test(options_decide_whether_traffic_is_needed),
      cmocka_unit_test(only_a_choice_by_time_leaves_cores_to_the_caller),
      cmocka_unit_test(xyz_fills_hosts_in_order),
      cmocka_unit_test(random_depends_on_the_seed_alone),
      cmocka_unit_test(random_is_uniform_over_the_slots),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

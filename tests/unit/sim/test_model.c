#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "sim/engine.h"
#include "sim/model.h"
#include "tests/unit/opened.h"

extern const struct engine engine_simgrid;

static void models_are_found_by_name(void **state)
{
  (void)state;
  static const char *const ROW[][2] = {{"smpi", "SMPI"}, {"lv08", "LV08"}, {"cm02", "CM02"}};
  const struct sim_model *m;
  struct err e;
  for (size_t i = 0; i < sizeof ROW / sizeof *ROW; i++) {
    m = registry_get(&sim_models, ROW[i][0], &e);
    assert_ptr_equal(m, registry_at(&sim_models, i));
    assert_string_equal(m->name, ROW[i][0]);
    assert_string_equal(m->simgrid, ROW[i][1]);
  }
  assert_null(registry_at(&sim_models, sizeof ROW / sizeof *ROW));
}

static void engines_are_found_by_name(void **state)
{
  (void)state;
  struct err e;
  const struct engine *flow = registry_get(&engines, "flow", &e);
  assert_non_null(flow);
  assert_ptr_equal(flow, registry_at(&engines, 0));
  assert_ptr_equal(registry_get(&engines, "simgrid", &e), &engine_simgrid);
}

/* At each threshold of the tables the lower factor still applies. */
static void factors_depend_on_the_size(void **state)
{
  (void)state;
  static const struct {
    const char *model;
    double bytes, latency, bandwidth;
  } ROW[] = {{"smpi", 0, 1, 1},
             {"smpi", 16, 2.01467, 0.812084},
             {"smpi", 257, 2.01467, 0.812084},
             {"smpi", 258, 1.95341, 0.338112},
             {"smpi", 65472, 3.48845, 0.697866},
             {"smpi", 65473, 11.6436, 0.940694},
             {"smpi", 1e12, 11.6436, 0.940694},
             {"lv08", 16, 13.01, 0.97},
             {"lv08", 1e9, 13.01, 0.97},
             {"cm02", 16, 1, 1}};
  for (size_t i = 0; i < sizeof ROW / sizeof *ROW; i++) {
    struct err e;
    const struct sim_model *m = registry_get(&sim_models, ROW[i].model, &e);
    assert_non_null(m);
    assert_true(factors_at(m->latency, ROW[i].bytes) == ROW[i].latency);
    assert_true(factors_at(m->bandwidth, ROW[i].bytes) == ROW[i].bandwidth);
  }
}

/* Factors of a platform replace the factors of smpi, the only model of MPI. */
static void platforms_bring_factors(void **state)
{
  (void)state;
  struct factors x;
  struct err e;
  struct platform *p = opened_platform("star:2");
  const struct sim_model *smpi = registry_get(&sim_models, "smpi", &e);
  const struct sim_model *lv08 = registry_get(&sim_models, "lv08", &e);
  struct sim_model made = sim_model_on(smpi, p);
  assert_ptr_equal(made.latency, smpi->latency);
  assert_ptr_equal(made.bandwidth, smpi->bandwidth);
  assert_int_equal(factors_parse(&x, "0:2;100:3", &e), OK);
  platform_set_factors(p, PLATFORM_LATENCY_FACTOR, &x);
  made = sim_model_on(smpi, p);
  assert_true(factors_at(made.latency, 100) == 2 && factors_at(made.latency, 101) == 3);
  assert_ptr_equal(made.bandwidth, smpi->bandwidth);
  assert_string_equal(made.simgrid, "SMPI");
  made = sim_model_on(lv08, p);
  assert_ptr_equal(made.latency, lv08->latency);
  platform_free(p);
}

static void other_names_are_refused(void **state)
{
  (void)state;
  static const char *const NAME[] = {"", "SMPI", "smp", "smpi "};
  struct err e;
  for (size_t i = 0; i < sizeof NAME / sizeof *NAME; i++) {
    assert_null(registry_get(&sim_models, NAME[i], &e));
    assert_non_null(strstr(e.text, "; expected smpi, lv08 or cm02"));
    assert_null(registry_get(&engines, NAME[i], &e));
    assert_non_null(strstr(e.text, "; expected flow, simgrid or simgrid-full"));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models_are_found_by_name),   cmocka_unit_test(engines_are_found_by_name),
      cmocka_unit_test(factors_depend_on_the_size), cmocka_unit_test(platforms_bring_factors),
      cmocka_unit_test(other_names_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

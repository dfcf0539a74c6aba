#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "platforms/platform.h"
#include "platforms/profiles.h"
#include "sim/effects/effects.h"
#include "tests/unit/opened.h"

/* Every example is a spec, and all of them make one set. */
static void examples_are_specs(void **state)
{
  (void)state;
  struct effects x = {.count = 0};
  struct err e;
  for (size_t i = 0; registry_at(&effect_kinds, i) != NULL; i++) {
    assert_int_equal(effects_add(&x, effect_example(i), &e), OK);
    assert_int_equal(effects_add(&x, effect_example(i), &e), FAIL);
    assert_non_null(strstr(e.text, "is given twice"));
  }
  assert_true(x.flow_limits);
  assert_float_equal(x.ports.both, 1.64e9, 1);
  assert_float_equal(x.noise.sd, 0.02, 1e-15);
  assert_int_equal(x.incast.count, 3);
  assert_true(effects_limit_hosts(&x));
}

static void bad_specs_are_refused(void **state)
{
  (void)state;
  static const char *const table[][2] = {
      {"nois", "unknown effect 'nois', perhaps 'noise'"},
      {"noise", "effect 'noise': option 'sd' is missing"},
      {"noise:", "effect 'noise:' ends with a colon"},
      {"noise:sd=0", "effect 'noise:sd=0': sd= must be above 0"},
      {"noise:sd=80%", "effect 'noise:sd=80%': sd: "},
      {"ports:fresh=1GBps", "effect 'ports:fresh=1GBps': 'fresh' needs 'pair'"},
      {"ports", "effect 'ports': expected in=, "},
      {"flow-limits:x", "effect 'flow-limits:x': no option 'x'"},
      {"speeds:sd=0", "effect 'speeds:sd=0': sd= or drift= must be above 0"},
      {"speeds:sd=1%,every=0s", "effect 'speeds:sd=1%,every=0s': every= must be above 0"},
      {"incast:curve=1:5", "effect 'incast:curve=1:5': point 1: "},
      {"within:total=1GBps", "effect 'within:total=1GBps': option 'bandwidth' is missing"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    struct effects x = {.count = 0};
    struct err e;
    assert_int_equal(effects_add(&x, table[i][0], &e), FAIL);
    if (strncmp(e.text, table[i][1], strlen(table[i][1])) != 0)
      print_error("%s: %s\n", table[i][0], e.text);
    assert_memory_equal(e.text, table[i][1], strlen(table[i][1]));
    assert_int_equal(x.count, 0);
  }
}

/* The factors have mean 1, the requested standard deviation, and the skewness of a half-normal
 * distribution (0.995).  The smallest one is effects_least(). */
static void noise_is_half_normal(void **state)
{
  (void)state;
  struct effects x = {.noise = {.sd = 0.1, .seed = 3}};
  enum { DRAWS = 200000 };
  double sum = 0, squares = 0, cubes = 0, least = 9;
  for (uint32_t i = 0; i < DRAWS; i++) {
    const double f = effects_noise(&x.noise, 7, 0, i % 50, i / 50) - 1;
    sum += f;
    squares += f * f;
    cubes += f * f * f;
    least = fmin(least, 1 + f);
  }
  const double deviation = sqrt(squares / DRAWS);
  assert_float_equal(sum / DRAWS, 0, 1e-3);
  assert_float_equal(deviation, 0.1, 1e-3);
  assert_float_equal(cubes / DRAWS / pow(deviation, 3), 0.995, 0.05);
  assert_true(least >= effects_least(&x));
  assert_float_equal(least, effects_least(&x), 1e-4);
  x.noise.sd = 0;
  assert_true(effects_noise(&x.noise, 7, 0, 1, 2) == 1);
}

/* Without a spread, the noise of all hosts is the same. */
static void hosts_differ_in_noise(void **state)
{
  (void)state;
  struct effect_noise n = {.sd = 0.1, .seed = 3};
  assert_true(effects_noise(&n, 0, 0, 1, 2) == effects_noise(&n, 0, 9, 1, 2));
  n.spread = 0.5;
  assert_true(effects_noise(&n, 0, 0, 1, 2) != effects_noise(&n, 0, 9, 1, 2));
}

static void hosts_differ_in_speed(void **state)
{
  (void)state;
  struct effects x = {.count = 0};
  struct profiles s = {0};
  struct err e;
  enum { HOSTS = 1000 };
  double sum = 0, squares = 0;
  assert_int_equal(effects_add(&x, "speeds:sd=5%", &e), OK);
  struct platform *p = opened_platform("star:1000");
  assert_int_equal(effects_add_profiles(&x, p, 0, &s, &e), OK);
  assert_int_equal(s.count, HOSTS);
  for (uint32_t i = 0; i < s.count; i++) {
    assert_int_equal(s.profile[i].events, 1);
    sum += s.profile[i].value[0];
    squares += s.profile[i].value[0] * s.profile[i].value[0];
  }
  assert_float_equal(sum / HOSTS, 1, 0.006);
  assert_float_equal(sqrt(squares / HOSTS - pow(sum / HOSTS, 2)), 0.05, 0.004);
  profiles_clear(&s);
  platform_free(p);
}

static void engines_name_missing_effects(void **state)
{
  (void)state;
  struct effects x = {.count = 0};
  struct err e;
  assert_int_equal(effects_add(&x, "noise:sd=1%", &e), OK);
  assert_int_equal(effects_need_engine(&x, "simgrid", &e), OK);
  assert_int_equal(effects_need_plain(&x, "explain", &e), OK);
  assert_int_equal(effects_add(&x, "flow-limits", &e), OK);
  assert_int_equal(effects_need_engine(&x, "simgrid", &e), FAIL);
  assert_string_equal(e.text,
                      "effect 'flow-limits': engine 'simgrid' lacks it; engine 'flow' has it");
  assert_int_equal(effects_need_plain(&x, "explain", &e), FAIL);
  assert_string_equal(e.text, "effect 'flow-limits' cannot be combined with explain");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(examples_are_specs),    cmocka_unit_test(bad_specs_are_refused),
      cmocka_unit_test(noise_is_half_normal),  cmocka_unit_test(hosts_differ_in_noise),
      cmocka_unit_test(hosts_differ_in_speed), cmocka_unit_test(engines_name_missing_effects),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

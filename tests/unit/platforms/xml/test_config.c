#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "platforms/platform.h"
#include "tests/unit/scratch.h"

#define BEGIN                                                                                      \
  "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version='4.1'>\n"
#define END "</platform>\n"
#define CLUSTER                                                                                    \
  "<cluster id='c' prefix='n' suffix='' radical='0-3' speed='1Gf' bw='1GBps' lat='1us'/>"

struct refusal {
  const char *text, *want;
};

static enum status load(struct platform **p, const char *text, struct err *e)
{
  struct scratch_file f = scratch_file(text, strlen(text));
  const enum status s = platform_load(p, f.path, e);
  scratch_close(&f);
  return s;
}

/* The wanted text omits the file name at the beginning of the error. */
static void check_refusals(const struct refusal *rows, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    struct platform *p;
    struct err e = {""};
    assert_int_equal(load(&p, rows[i].text, &e), FAIL);
    if (strstr(e.text, rows[i].want) == NULL)
      fail_msg("'%s', not '%s'", e.text, rows[i].want);
  }
}

#define OPTION(name, value) "<prop id='" name "' value='" value "'/>"
#define FACTORS(value)      BEGIN "<config>" OPTION("smpi/lat-factor", value) "</config>" REST
#define REST                CLUSTER END

static void factors_are_read(void **state)
{
  (void)state;
  static const char text[] = BEGIN "<config id='General'>" OPTION(
      "smpi/lat-factor", "100:3;0:2") "</config>\n"
                                      "<!-- and --><config>" OPTION(
                                          "smpi/bw-factor", "65472:1.5e-1") "</config>" CLUSTER END;
  struct platform *p;
  struct err e;
  assert_int_equal(load(&p, text, &e), OK);
  assert_false(platform_is_opaque(p));
  const struct factors *latency = platform_factors(p, PLATFORM_LATENCY_FACTOR);
  const struct factors *bandwidth = platform_factors(p, PLATFORM_BANDWIDTH_FACTOR);
  assert_int_equal(latency->count, 2);
  assert_true(latency->step[0].above == 0 && latency->step[1].above == 100);
  assert_true(factors_at(latency->step, 100) == 2 && factors_at(latency->step, 101) == 3);
  assert_int_equal(bandwidth->count, 1);
  assert_true(factors_at(bandwidth->step, 65472) == 1 &&
              factors_at(bandwidth->step, 65473) == 0.15);
  platform_free(p);
}

static void bad_factors_are_refused(void **state)
{
  (void)state;
  static const struct refusal rows[] = {
      {FACTORS(""), ":3: smpi/lat-factor: '' is not SIZE:FACTOR"},
      {FACTORS("1.5"), ":3: smpi/lat-factor: '1.5' is not SIZE:FACTOR"},
      {FACTORS("0:1;;"), ":3: smpi/lat-factor: '' is not SIZE:FACTOR"},
      {FACTORS("0:1:2"), ":3: smpi/lat-factor: factor above 0 bytes: '1:2' is not"},
      {FACTORS("0:-1"), ":3: smpi/lat-factor: factor above 0 bytes: -1 is"},
      {BEGIN "<config>" OPTION("smpi/bw-factor", "0:0") "</config>" CLUSTER END,
       ":3: smpi/bw-factor: a factor of 0 above 0 bytes"},
      {BEGIN "<config>" OPTION("smpi/os", "0:1") "</config>" CLUSTER END,
       ":3: smpi/os: '0:1' is not SIZE:SECONDS:SECONDS_PER_BYTE"},
      {FACTORS("0:nan"), ":3: smpi/lat-factor: factor above 0 bytes: 'nan' is not"},
      {FACTORS("-1:1"), ":3: smpi/lat-factor: size of a step: '-1' is not"},
      {FACTORS("2147483648:1"), ":3: smpi/lat-factor: size of a step: 2147483648 is above"},
      {FACTORS("0:1;5:2;5:3"), ":3: smpi/lat-factor: two factors above 5 bytes"},
      {BEGIN "<config a='b'/>" CLUSTER END, ":3: <config> has no attribute 'a' in SimGrid"},
      {BEGIN "<config>\n<host/></config>" CLUSTER END, ":4: <config>: it holds <prop> only"},
      {BEGIN "<config><prop id='smpi/bw-factor'/></config>" CLUSTER END,
       ":3: <prop> lacks the attribute 'value'"},
      {BEGIN "<config>" OPTION("smpi/bw-factor", "0:1")
           OPTION("smpi/bw-factor", "0:1") "</config>" CLUSTER END,
       ":3: <config>: the option is set twice"},
      {BEGIN CLUSTER "<config/>" END, ":3: <config>: SimGrid reads it at the beginning"},
  };
  check_refusals(rows, COUNT(rows));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(factors_are_read),
      cmocka_unit_test(bad_factors_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "platforms/smpi.h"

static enum status read_one(struct smpi_options *o, const char *id, const char *value,
                            struct err *e)
{
  bool known;
  const enum status s = smpi_option_read(o, id, value, &known, e);
  assert_true(known);
  return s;
}

static void costs_depend_on_the_step_of_the_size(void **state)
{
  (void)state;
  struct smpi_options o = {0};
  struct err e;
  assert_int_equal(read_one(&o, "smpi/os", "1000:2:0.5;0:1:0.25", &e), OK);
  assert_true(smpi_cost_at(&o.send, 0) == 1 && smpi_cost_at(&o.send, 1000) == 251);
  assert_true(smpi_cost_at(&o.send, 1002) == 503);
  assert_true(smpi_cost_at(&o.receive, 1000) == 0);
  assert_string_equal(smpi_first_option(&o), "smpi/os");
}

static void all_options_are_read(void **state)
{
  (void)state;
  struct smpi_options o = {0};
  struct err e;
  assert_int_equal(read_one(&o, "smpi/or", "0:1:0", &e), OK);
  assert_int_equal(read_one(&o, "smpi/ois", "0:2:0", &e), OK);
  assert_int_equal(read_one(&o, "smpi/loopback-bw-factor", "0:0.5", &e), OK);
  assert_int_equal(read_one(&o, "smpi/loopback-lat-factor", "0:0.0;5:3", &e), OK);
  assert_int_equal(read_one(&o, "smpi/async-small-thresh", "64000", &e), OK);
  assert_int_equal(read_one(&o, "smpi/send-is-detached-thresh", "64001", &e), OK);
  assert_int_equal(read_one(&o, "smpi/iprobe", "2.5e-7", &e), OK);
  assert_int_equal(read_one(&o, "smpi/test", "8e-7", &e), OK);
  assert_int_equal(read_one(&o, "smpi/host-speed", "1", &e), OK);
  assert_int_equal(read_one(&o, "network/weight-S", "0", &e), OK);
  assert_int_equal(read_one(&o, "network/crosstraffic", "false", &e), OK);
  assert_int_equal(read_one(&o, "maxmin/concurrency-limit", "-1", &e), OK);
  assert_true(smpi_cost_at(&o.receive, 9) == 1 && smpi_cost_at(&o.post, 9) == 2);
  assert_true(factors_at(o.within[1].step, 9) == 0.5 && factors_at(o.within[0].step, 9) == 3);
  assert_true(factors_at(o.within[0].step, 4) <= FACTORS_ZERO);
  assert_true(o.eager_below == 64000 && o.detached_below == 64001);
  assert_true(o.probe_s == 2.5e-7 && o.test_s == 8e-7);
  assert_true(o.has_weight && o.weight_bytes == 0 && o.one_way);
}

/* As SimGrid's parse_factor() reads them. */
static void costs_have_units_further_fields_and_a_last_semicolon(void **state)
{
  (void)state;
  struct smpi_options o = {0};
  struct err e;
  assert_int_equal(read_one(&o, "smpi/os", "0:0:0:0:0", &e), OK);
  assert_true(smpi_cost_at(&o.send, 1000) == 0);
  assert_int_equal(read_one(&o, "smpi/or", "0:5us:1ns;100:7us:0;", &e), OK);
  assert_true(fabs(smpi_cost_at(&o.receive, 100) - 5.1e-6) < 1e-15);
  assert_true(smpi_cost_at(&o.receive, 101) == 7e-6);
}

static void bad_options_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *id, *value, *want;
  } rows[] = {
      {"smpi/os", "0:1", "'0:1' is not SIZE:SECONDS:SECONDS_PER_BYTE"},
      {"smpi/os", "0:1:1;;", "'' is not SIZE"},
      {"smpi/os", "0:2000:1", "2000 is above 1000 s"},
      {"smpi/or", "0:-1:0", "step of 0 bytes"},
      {"smpi/ois", "x:1:0", "'x'"},
      {"smpi/loopback-bw-factor", "0:0", "a factor of 0 above 0 bytes"},
      {"smpi/async-small-thresh", "1.5", "'1.5'"},
      {"smpi/iprobe", "-1", "-1"},
      {"network/crosstraffic", "perhaps", "'perhaps' is not yes or no"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct smpi_options o = {0};
    struct err e = {""};
    assert_int_equal(read_one(&o, rows[i].id, rows[i].value, &e), FAIL);
    if (strstr(e.text, rows[i].want) == NULL)
      fail_msg("'%s', not '%s'", e.text, rows[i].want);
  }
}

static void repeated_and_unknown_options(void **state)
{
  (void)state;
  struct smpi_options o = {0};
  struct err e;
  bool known;
  assert_int_equal(read_one(&o, "smpi/test", "1", &e), OK);
  assert_int_equal(read_one(&o, "smpi/test", "1", &e), FAIL);
  assert_int_equal(smpi_option_read(&o, "tracing", "yes", &known, &e), OK);
  assert_false(known);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(costs_depend_on_the_step_of_the_size),
      cmocka_unit_test(all_options_are_read),
      cmocka_unit_test(costs_have_units_further_fields_and_a_last_semicolon),
      cmocka_unit_test(bad_options_are_refused),
      cmocka_unit_test(repeated_and_unknown_options),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

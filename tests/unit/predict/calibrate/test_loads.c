#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/mem.h"
#include "predict/calibrate/loads.h"
#include "sim/model.h"
#include "tests/unit/count.h"

static void add(struct measurements *m, const struct measurements_test *test, double size,
                double seconds)
{
  struct err e;
  assert_int_equal(MEM_GROW(m->sample, m->room, m->samples + 1, &e), OK);
  m->sample[m->samples++] = (struct measurements_sample){test, size, seconds};
}

/* Ping-pongs of 10 us and 500 MB/s up to 1 MB. */
static struct calibration pingpongs(struct measurements *m)
{
  struct calibration_options o = calibration_defaults();
  struct calibration c;
  struct err e;
  o.speed = 1e9;
  for (double size = 1; size < 2e6; size *= 2)
    add(m, &test_pingpong, size, 1e-5 + (size + SIM_ENVELOPE_BYTES) / 5e8);
  assert_int_equal(calibration_fit(&c, m, &o, &e), OK);
  return c;
}

static double rate_at(const struct calibration *c, double bytes)
{
  return c->bandwidth * factors_at(c->factors[PLATFORM_BANDWIDTH_FACTOR].step, bytes);
}

/* Messages of 4 MB in a row at 1 GB/s get a step; the rates of the ping-pong stay.  The stream
 * raises the bandwidth, unless that is nominal: then the step has a factor above 1. */
static void streams_extend_the_factors(void **state)
{
  (void)state;
  for (int nominal = 0; nominal <= 1; nominal++) {
    const double bandwidth = nominal ? 5e8 : 1e9;
    struct measurements m = {0};
    struct loads_fit l;
    struct err e;
    for (int i = 0; i < 10; i++)
      add(&m, &test_stream, 4e6, 4.01e-3);
    struct calibration c = pingpongs(&m);
    assert_int_equal(loads_measure(&l, &m, &e), OK);
    loads_extend(&l, &c, nominal);
    assert_true(l.covered == 4e6);
    assert_float_equal(rate_at(&c, 1e5), 5e8, 1e4);
    assert_float_equal(rate_at(&c, 4e6), 1e9, 1e4);
    assert_float_equal(c.bandwidth, bandwidth, 1e4);
    loads_extend(&(struct loads_fit){.effects = 0}, &c, nominal);
    assert_float_equal(c.bandwidth, bandwidth, 1e4);
    calibration_clear(&c);
    measurements_clear(&m);
  }
}

/* On a route of 20 ms SimGrid limits the rate to 105 MB/s.  The factors are relative to this rate:
 * messages in both directions at once, as slow as one message, share nothing. */
static void factors_of_distant_hosts_are_relative_to_the_limit(void **state)
{
  (void)state;
  struct measurements m = {0};
  struct loads_fit l;
  struct calibration_options o = calibration_defaults();
  struct calibration c;
  struct err e;
  o.speed = 1e9;
  for (double size = 1; size < 5e6; size *= 2)
    add(&m, &test_pingpong, size, 2e-2 + (size + SIM_ENVELOPE_BYTES) / 1e9);
  for (int i = 0; i < 10; i++) {
    add(&m, &test_exchange, 4e6, 2e-2 + 4e6 / 1e9);
    add(&m, &test_stream, 1e9, 2e-2 + 1e9 / 1.5e9);
  }
  assert_int_equal(calibration_fit(&c, &m, &o, &e), OK);
  assert_int_equal(loads_measure(&l, &m, &e), OK);
  loads_extend(&l, &c, false);
  loads_set_effects(&l, &c, 1);
  assert_int_equal(l.effects, 0);
  assert_true(calibration_rate(&c) < c.bandwidth / 10);
  const struct factor_step *step = c.factors[PLATFORM_BANDWIDTH_FACTOR].step;
  assert_float_equal(calibration_rate(&c) * factors_at(step, 1e5), 1e9, 1e6);
  assert_float_equal(calibration_rate(&c) * factors_at(step, 1e9), 1.5e9, 1e6);
  calibration_clear(&c);
  measurements_clear(&m);
}

/* A stream as fast as the ping-pong, and a stream whose samples say nothing, change nothing. */
static void equal_and_uncertain_streams_change_nothing(void **state)
{
  (void)state;
  static const double table[][4] = {{8.01e-3, 8.01e-3, 8.01e-3, 8.01e-3},
                                    {4e-3, 9e-3, 1.5e-2, 4e-2}};
  for (size_t i = 0; i < COUNT(table); i++) {
    struct measurements m = {0};
    struct loads_fit l;
    struct err e;
    for (size_t k = 0; k < 4; k++)
      add(&m, &test_stream, 4e6, table[i][k]);
    struct calibration c = pingpongs(&m);
    assert_int_equal(loads_measure(&l, &m, &e), OK);
    loads_extend(&l, &c, false);
    assert_true(l.covered == (i == 0 ? 4e6 : 0));
    assert_float_equal(c.bandwidth, 5e8, 1e4);
    calibration_clear(&c);
    measurements_clear(&m);
  }
}

/* Two messages of 1 MB at once take 3 ms in an exchange of a pair, 2.51 ms in a ring, and 4 ms in
 * the first exchange of a pair. */
static void loads_become_effects(void **state)
{
  (void)state;
  static const struct {
    const struct measurements_test *test;
    double seconds;
  } table[] = {{&test_exchange, 3e-3},       {&test_ring, 2.51e-3},
               {&test_first_exchange, 4e-3}, {&test_pingpong_within, 5e-4},
               {&test_all_within, 2.5e-4},   {&test_stream, 2e-3},
               {&test_stream_busy, 8e-3}};
  struct measurements m = {0};
  struct loads_fit l;
  struct effects x = {.count = 0};
  struct err e;
  char missing[LOADS_TEXT];
  for (size_t i = 0; i < COUNT(table); i++)
    add(&m, table[i].test, 1e6, table[i].seconds);
  struct calibration c = pingpongs(&m);
  assert_int_equal(loads_measure(&l, &m, &e), OK);
  loads_set_effects(&l, &c, 31);
  for (size_t i = 0; i < l.effects; i++)
    assert_int_equal(effects_add(&x, l.effect[i], &e), OK);
  assert_true(x.flow_limits);
  assert_float_equal(x.ports.pair, 2e6 / 2.99e-3, 1e5);
  assert_float_equal(x.ports.both, 2e6 / 2.5e-3, 1e5);
  assert_float_equal(x.ports.fresh, 2e6 / 3.99e-3, 1e5);
  assert_float_equal(x.within.bandwidth, 2e9, 1);
  assert_float_equal(x.within.total, 4e9, 1);
  assert_float_equal(curve_at(&x.beside, 0), 5e8, 1);
  assert_float_equal(curve_at(&x.beside, 31), 1.25e8, 1);
  assert_string_equal(loads_missing(&l, missing), "pairs");
  calibration_clear(&c);
  measurements_clear(&m);
}

/* The samples of each size have one of two modes.  Pooled with neighbouring sizes, their times lie
 * in between, on few segments.  Without pooling, all sizes are kept. */
static void scattered_sizes_are_pooled(void **state)
{
  (void)state;
  struct measurements m = {0};
  struct calibration_options o = calibration_defaults();
  struct calibration c;
  struct err e;
  o.speed = 1e9;
  for (uint32_t i = 0; i < 300; i++)
    for (uint32_t k = 0; k < 8; k++) {
      const double size = floor(1000 * pow(1000, i / 300.0));
      const double slow = i * 7 % 3 == 0 ? 1.6 : 1;
      add(&m, &test_pingpong, size, slow * (1e-4 + size / 1e8) * (1 + 0.001 * k));
    }
  assert_int_equal(calibration_fit(&c, &m, &o, &e), OK);
  assert_true(c.pooled);
  assert_true(c.scatter > 0.2);
  assert_true(c.sizes <= 60);
  assert_true(c.segments <= 3);
  calibration_clear(&c);
  o.pool = 0;
  measurements_clear(&m);
  for (uint32_t i = 0; i < 300; i++)
    add(&m, &test_pingpong, 1000 + i, i % 2 == 0 ? 1e-4 : 2e-4);
  assert_int_equal(calibration_fit(&c, &m, &o, &e), OK);
  assert_false(c.pooled);
  assert_int_equal(c.sizes, 300);
  calibration_clear(&c);
  measurements_clear(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(streams_extend_the_factors),
      cmocka_unit_test(factors_of_distant_hosts_are_relative_to_the_limit),
      cmocka_unit_test(equal_and_uncertain_streams_change_nothing),
      cmocka_unit_test(loads_become_effects),
      cmocka_unit_test(scattered_sizes_are_pooled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

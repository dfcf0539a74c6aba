#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/mem.h"
#include "common/numeric/rng.h"
#include "predict/calibrate/calibration.h"
#include "predict/calibrate/check.h"
#include "tests/unit/count.h"

/* The measured machine: latency and bandwidth of the route, and factors by message size
 * including the envelope. */
struct machine {
  double latency_s, bandwidth;
  struct factor_step latency[5], factor[5]; /* terminated by 0, 0 */
};

static const struct machine CLUSTER = {1e-6,
                                       1e9,
                                       {{0, 2}, {1000, 3}, {65000, 20}, {0, 0}},
                                       {{0, 0.5}, {1000, 0.8}, {65000, 1}, {0, 0}}};

static double time_of(const struct machine *m, double bytes)
{
  const double all = bytes + 16;
  return factors_at(m->latency, all) * m->latency_s +
         all / (factors_at(m->factor, all) * m->bandwidth);
}

static void add(struct measurements *m, const struct measurements_test *test, double size,
                double seconds)
{
  struct err e;
  assert_int_equal(MEM_GROW(m->sample, m->room, m->samples + 1, &e), OK);
  m->sample[m->samples++] = (struct measurements_sample){test, size, seconds};
}

/* Noise only adds time: up to the share @p noise, and in 5 % of the cases up to 100 times more. */
static double noisy(struct rng *r, double noise)
{
  const double rare = noise > 0 && rng_below(r, 20) == 0 ? 100 : 1;
  return 1 + rare * noise * rng_double(r);
}

/* 20 samples for each of six sizes per doubling up to 4 MiB, and 20 samples of a kernel of 2
 * Gf/s. */
static struct measurements measure(const struct machine *m, double noise, uint64_t seed)
{
  struct measurements out = {0};
  struct rng r = rng_new(seed, 0);
  double last = 0;
  for (double at = 0; at < 22; at += 1.0 / 6) {
    const double bytes = floor(exp2(at + rng_double(&r) / 6));
    for (int i = 0; i < 20 && bytes > last; i++)
      add(&out, &test_pingpong, bytes, time_of(m, bytes) * noisy(&r, noise));
    last = bytes;
  }
  for (int i = 0; i < 20; i++)
    add(&out, &test_arithmetic, 1e6, 5e-4 * noisy(&r, noise));
  return out;
}

static void assert_near(double got, double want, double share)
{
  if (!(fabs(got / want - 1) <= share))
    fail_msg("%.12g, not %.12g", got, want);
}

static void known_machines_are_recovered(void **state)
{
  (void)state;
  struct measurements m = measure(&CLUSTER, 0, 1);
  struct calibration_options o = calibration_defaults();
  struct calibration c;
  struct err e;
  o.latency_s = CLUSTER.latency_s;
  assert_int_equal(calibration_fit(&c, &m, &o, &e), OK);
  assert_near(c.speed, 2e9, 1e-12);
  assert_int_equal(c.speed_samples, 20);
  assert_near(c.bandwidth, 1e9, 1e-9);
  assert_int_equal(c.segments, 3);
  for (size_t k = 0; k < 3; k++) {
    const struct factor_step *latency = &c.factors[PLATFORM_LATENCY_FACTOR].step[k];
    const struct factor_step *bandwidth = &c.factors[PLATFORM_BANDWIDTH_FACTOR].step[k];
    assert_near(latency->factor, CLUSTER.latency[k].factor, 1e-8);
    assert_near(bandwidth->factor, CLUSTER.factor[k].factor, 1e-8);
    assert_true(latency->above == bandwidth->above);
    if (k > 0)
      assert_near(latency->above, CLUSTER.latency[k].above, 0.25); /* six sizes per doubling */
  }
  calibration_clear(&c);
  measurements_clear(&m);
}

/* The quantile refers to times: 0 is the fastest sample. */
static void the_quantile_chooses_the_speed(void **state)
{
  (void)state;
  static const struct {
    double quantile, speed;
  } ROWS[] = {{0, 1e9}, {0.5, 5e8}, {1, 2e8}};
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    struct measurements m = measure(&CLUSTER, 0, 1);
    struct calibration_options o = calibration_defaults();
    struct calibration c;
    struct err e;
    o.kernel = &test_triad;
    o.quantile = ROWS[i].quantile;
    add(&m, &test_triad, 1e6, 5e-3);
    add(&m, &test_triad, 1e6, 1e-3);
    add(&m, &test_triad, 2e6, 4e-3);
    assert_int_equal(calibration_fit(&c, &m, &o, &e), OK);
    assert_near(c.speed, ROWS[i].speed, 1e-12);
    calibration_clear(&c);
    measurements_clear(&m);
  }
}

/* The calibrated platform must reproduce the times of the measured machine. */
static struct check check_on(const struct calibration *c, const char *topology,
                             const struct measured *size, size_t n)
{
  static const struct platform_params none = {0};
  struct platform *p;
  struct err e;
  double *seconds = calloc(n, sizeof *seconds);
  assert_non_null(seconds);
  if (calibration_platform(&p, c, topology, &none, &e) != OK)
    fail_msg("%s", e.text);
  assert_int_equal(check_simulate(seconds, size, n, p, &e), OK);
  const struct check x = check_compare(seconds, size, n);
  platform_free(p);
  free(seconds);
  return x;
}

static void every_topology_reproduces_the_measured_times(void **state)
{
  (void)state;
  static const char *const TOPOLOGY[] = {
      "star:2",      "star:64,backbone=10GBps,latency=100ns",          "mesh:2",     "torus:4x4x4",
      "fattree:k=4", "dragonfly:groups=3,chassis=3,routers=2,nodes=2", "hypercube:3"};
  struct measurements m = measure(&CLUSTER, 0, 2);
  const struct calibration_options o = calibration_defaults();
  struct calibration c;
  struct err e;
  assert_int_equal(calibration_fit(&c, &m, &o, &e), OK);
  for (size_t i = 0; i < COUNT(TOPOLOGY); i++) {
    const struct check x = check_on(&c, TOPOLOGY[i], c.size, c.sizes);
    if (x.error_max > 1e-9 || x.within_quartiles < 1)
      fail_msg("%s: an error of %g", TOPOLOGY[i], x.error_max);
  }
  calibration_clear(&c);
  measurements_clear(&m);
}

/* SimGrid limits the bandwidth of a route with a large latency. */
static void distant_hosts_are_recovered(void **state)
{
  (void)state;
  static const struct machine FAR = {0.05, 1e9, {{0, 1}, {0, 0}}, {{0, 0.4}, {0, 0}}};
  struct measurements m = measure(&FAR, 0, 3);
  struct calibration_options o = calibration_defaults();
  struct calibration c;
  struct err e;
  o.bandwidth = 1e9;
  assert_int_equal(calibration_fit(&c, &m, &o, &e), OK);
  assert_true(c.factors[PLATFORM_BANDWIDTH_FACTOR].step[0].factor > 1);
  assert_true(check_on(&c, "star:2", c.size, c.sizes).error_max < 1e-6);
  calibration_clear(&c);
  measurements_clear(&m);
}

/* A random machine with one to four steps. */
static struct machine draw_machine(struct rng *r)
{
  struct machine m = {.latency_s = 1e-7 * pow(1000, rng_double(r)),
                      .bandwidth = 1e8 * pow(100, rng_double(r))};
  const size_t steps = 1 + rng_below(r, 4);
  double above = 20;
  for (size_t k = 0; k < steps; k++) {
    above *= k == 0 ? 0 : 5 + 10 * rng_double(r);
    m.latency[k] = (struct factor_step){above, 1 + 4 * (double)k * rng_double(r)};
    m.factor[k] = (struct factor_step){above, 0.3 + 0.7 * rng_double(r)};
    above = k == 0 ? 100 : above;
  }
  return m;
}

/* For 100 random machines with noise, the fitted times are about 2.6 % above the noiseless ones,
 * and the simulated times are within the spread of the samples. */
static void random_machines_predict_their_measurements(void **state)
{
  (void)state;
  const struct calibration_options o = calibration_defaults();
  double least = 1, sum = 0;
  for (uint64_t seed = 0; seed < 100; seed++) {
    struct rng r = rng_new(seed, 1);
    const struct machine machine = draw_machine(&r);
    struct measurements m = measure(&machine, 0.05, seed);
    struct calibration c;
    struct err e;
    assert_int_equal(calibration_fit(&c, &m, &o, &e), OK);
    const struct check x = check_on(&c, "star:2", c.size, c.sizes);
    for (size_t i = 0; i < c.sizes; i++)
      if (fabs(calibration_at(&c, i) / time_of(&machine, c.size[i].size) / 1.026 - 1) > 0.06)
        fail_msg("seed %ju: %g bytes take %g s", (uintmax_t)seed, c.size[i].size,
                 calibration_at(&c, i));
    least = fmin(least, x.within_spread);
    sum += x.within_quartiles;
    calibration_clear(&c);
    measurements_clear(&m);
  }
  if (least < 0.98 || sum < 95)
    fail_msg("the least share within the spread is %g, the mean share within the quartiles %g",
             least, sum / 100);
}

static void missing_measurements_are_named(void **state)
{
  (void)state;
  struct measurements m = {0};
  struct calibration_options o = calibration_defaults();
  struct calibration c;
  struct err e;
  assert_int_equal(calibration_fit(&c, &m, &o, &e), FAIL);
  assert_string_equal(e.text, "test pingpong: 0 sizes are too few for a line, which needs 3");
  m = measure(&CLUSTER, 0, 1);
  o.kernel = &test_triad;
  assert_int_equal(calibration_fit(&c, &m, &o, &e), FAIL);
  assert_string_equal(e.text, "no sample of kernel triad, and no --speed");
  o.speed = 5;
  o.latency_s = 1e12;
  assert_int_equal(calibration_fit(&c, &m, &o, &e), FAIL);
  assert_non_null(strstr(e.text, "smpi/lat-factor above 0 bytes is"));
  o.latency_s = 0;
  assert_int_equal(calibration_fit(&c, &m, &o, &e), OK);
  assert_true(c.speed == 5 && c.speed_samples == 0);
  calibration_clear(&c);
  measurements_clear(&m);
}

static void platforms_without_the_route_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *topology, *want;
  } ROWS[] = {
      {"torus:1", "torus:1 has one host, but the measured route is between two hosts"},
      {"star:2,backbone=1GBps,latency=1s",
       "the route from host 0 to host 1 has a latency of 1 s without its links"},
      {"random-clusters:hosts=4,sizes=2",
       "a spec of several clusters has its own latencies, which a calibration cannot set"},
      {"torus:0", "torus:0"},
  };
  static const struct platform_params none = {0};
  const struct calibration c = {.latency_s = 1e-6, .bandwidth = 1e9, .speed = 1e9};
  struct platform *p;
  struct err e;
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    assert_int_equal(calibration_platform(&p, &c, ROWS[i].topology, &none, &e), FAIL);
    if (strstr(e.text, ROWS[i].want) == NULL)
      fail_msg("'%s', not '%s'", e.text, ROWS[i].want);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_machines_are_recovered),
      cmocka_unit_test(the_quantile_chooses_the_speed),
      cmocka_unit_test(every_topology_reproduces_the_measured_times),
      cmocka_unit_test(distant_hosts_are_recovered),
      cmocka_unit_test(random_machines_predict_their_measurements),
      cmocka_unit_test(missing_measurements_are_named),
      cmocka_unit_test(platforms_without_the_route_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

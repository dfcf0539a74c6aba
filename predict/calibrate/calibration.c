#include "predict/calibrate/calibration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"
#include "sim/model.h"

/* Fewest samples for a standard error. */
enum { FEWEST_SAMPLES = 4 };

/* Sizes are pooled if there are POOLED_SIZES or more, and if their scatter is above POOLED_SCATTER
 * and above POOLED_ERRORS standard errors.  Pooled sizes differ by less than the share
 * POOLED_WITHIN. */
enum { POOLED_SIZES = 100 };
static const double POOLED_SCATTER = 0.05, POOLED_ERRORS = 2, POOLED_WITHIN = 0.1;

struct calibration_options calibration_defaults(void)
{
  return (struct calibration_options){
      .kernel = &test_arithmetic, .quantile = 0.5, .most = 16, .pool = -1};
}

void calibration_clear(struct calibration *c)
{
  free(c->size);
  *c = (struct calibration){0};
}

/* --- the speed -------------------------------------------------------------------------------- */

/* Samples of all sizes of the kernel, in flop/s, in rising order. */
static double *speeds_of(const struct measurements *m, const struct measurements_test *kernel,
                         size_t *count, struct err *e)
{
  double *speed = mem_array(m->samples, sizeof *speed, e);
  *count = 0;
  for (size_t i = 0; speed != NULL && i < m->samples; i++)
    if (m->sample[i].test == kernel)
      speed[(*count)++] = m->sample[i].size / m->sample[i].seconds;
  if (speed != NULL && *count > 0)
    qsort(speed, *count, sizeof *speed, rising_double);
  return speed;
}

/* The speed at quantile q of the times is quantile 1 - q of the speeds. */
static enum status fit_speed(struct calibration *c, const struct measurements *m,
                             const struct calibration_options *o, struct err *e)
{
  size_t n;
  c->speed = c->speed_low = c->speed_high = o->speed;
  if (o->speed > 0)
    return OK;
  OWNED double *speed = speeds_of(m, o->kernel, &n, e);
  if (speed == NULL)
    return FAIL;
  if (n > 0) {
    c->speed = measurements_quantile(speed, n, 1 - o->quantile);
    c->speed_low = measurements_quantile(speed, n, 0.05);
    c->speed_high = measurements_quantile(speed, n, 0.95);
  }
  c->speed_samples = n;
  return n > 0 ? OK : err_set(e, "no sample of kernel %s, and no --speed", o->kernel->name);
}

/* --- the network ------------------------------------------------------------------------------ */

/* Relative standard error of the time of a size; NAN with too few samples. */
static double error_of(const struct measured *m)
{
  return m->samples < FEWEST_SAMPLES ? NAN : measurements_error(m);
}

static enum status fit_segments(struct calibration *c, size_t most, struct err *e)
{
  OWNED struct segments_point *point = mem_array(c->sizes, sizeof *point, e);
  if (point == NULL)
    return FAIL;
  for (size_t i = 0; i < c->sizes; i++)
    point[i] = (struct segments_point){.x = c->size[i].size + SIM_ENVELOPE_BYTES,
                                       .y = c->size[i].seconds,
                                       .error = c->pooled ? NAN : error_of(&c->size[i])};
  const enum status s = segments_fit(c->segment, &c->segments, point, c->sizes, most, e);
  return s == OK ? OK : err_prefix(e, "test pingpong: ");
}

/* Size at which a segment begins: the geometric mean of the last size of the previous segment and
 * the first size of this one, since sizes are spaced logarithmically. */
static double step_of(const struct calibration *c, size_t k)
{
  if (k == 0)
    return 0;
  const double low = c->size[c->segment[k].first - 1].size + SIM_ENVELOPE_BYTES;
  const double high = c->size[c->segment[k].first].size + SIM_ENVELOPE_BYTES;
  return fmin(floor(sqrt(low * high)), high - 1);
}

double calibration_rate(const struct calibration *c)
{
  return fmin(c->bandwidth, SIM_TCP_GAMMA / (2 * c->latency_s));
}

static void set_factors(struct calibration *c)
{
  struct factors *latency = &c->factors[PLATFORM_LATENCY_FACTOR];
  struct factors *bandwidth = &c->factors[PLATFORM_BANDWIDTH_FACTOR];
  const double rate = calibration_rate(c);
  *latency = *bandwidth = (struct factors){.count = (uint32_t)c->segments};
  for (size_t k = 0; k < c->segments; k++) {
    const struct segment *s = &c->segment[k];
    const double above = step_of(c, k);
    latency->step[k] = (struct factor_step){above, s->at_zero / c->latency_s};
    bandwidth->step[k] = (struct factor_step){above, 1 / (s->slope * rate)};
  }
}

static enum status fit_network(struct calibration *c, const struct calibration_options *o,
                               struct err *e)
{
  if (fit_segments(c, o->most, e) != OK)
    return FAIL;
  c->latency_s = o->latency_s > 0 ? o->latency_s : c->segment[0].at_zero;
  c->bandwidth = o->bandwidth > 0 ? o->bandwidth : 1 / c->segment[c->segments - 1].slope;
  set_factors(c);
  for (int i = 0; i < PLATFORM_FACTORS; i++)
    for (size_t k = 0; k < c->segments; k++)
      if (!(c->factors[i].step[k].factor >= 1e-12 && c->factors[i].step[k].factor <= 1e12))
        return err_set(e, "%s above %.0f bytes is %g, out of [1e-12, 1e12]",
                       platform_factor_option((enum platform_factor)i), c->factors[i].step[k].above,
                       c->factors[i].step[k].factor);
  return OK;
}

/* Sets c->scatter to the median relative distance of the time of a size from its neighbours, and
 * *expected to the median standard error. */
static enum status scatter_of(struct calibration *c, double *expected, struct err *e)
{
  OWNED double *away = mem_array(c->sizes, sizeof *away, e);
  OWNED double *error = away == NULL ? NULL : mem_array(c->sizes, sizeof *error, e);
  size_t n = 0;
  if (error == NULL)
    return FAIL;
  for (size_t i = 1; i + 1 < c->sizes; i++, n++) {
    const double between = sqrt(c->size[i - 1].seconds * c->size[i + 1].seconds);
    away[n] = fabs(c->size[i].seconds / between - 1);
    error[n] = error_of(&c->size[i]);
    error[n] = isnan(error[n]) ? INFINITY : error[n];
  }
  if (n == 0)
    return OK;
  qsort(away, n, sizeof *away, rising_double);
  qsort(error, n, sizeof *error, rising_double);
  c->scatter = away[n / 2];
  *expected = error[n / 2];
  return OK;
}

/* If times of neighbouring sizes differ by far more than the samples of a size explain, the machine
 * has several modes, and each size was measured in some of them only.  The sizes are pooled
 * then. */
static enum status pool_sizes(struct calibration *c, struct measurements *m,
                              const struct calibration_options *o, struct err *e)
{
  double expected = INFINITY;
  if (c->sizes < POOLED_SIZES)
    return OK;
  if (scatter_of(c, &expected, e) != OK)
    return FAIL;
  c->pooled = o->pool > 0 ||
              (o->pool < 0 && c->scatter > POOLED_SCATTER && c->scatter > POOLED_ERRORS * expected);
  if (!c->pooled)
    return OK;
  free(c->size);
  c->size = NULL;
  measurements_pool(m, &test_pingpong, o->pool > 0 ? o->pool : POOLED_WITHIN);
  return measurements_by_size(m, &test_pingpong, o->quantile, &c->size, &c->sizes, e);
}

enum status calibration_fit(struct calibration *out, struct measurements *m,
                            const struct calibration_options *o, struct err *e)
{
  struct calibration c = {0};
  if (measurements_by_size(m, &test_pingpong, o->quantile, &c.size, &c.sizes, e) == OK &&
      pool_sizes(&c, m, o, e) == OK && fit_network(&c, o, e) == OK &&
      fit_speed(&c, m, o, e) == OK) {
    *out = c;
    return OK;
  }
  calibration_clear(&c);
  return FAIL;
}

size_t calibration_segment(const struct calibration *c, size_t i)
{
  size_t k = 0;
  while (i >= c->segment[k].end)
    k++;
  return k;
}

double calibration_at(const struct calibration *c, size_t i)
{
  const size_t k = calibration_segment(c, i);
  return c->segment[k].at_zero + c->segment[k].slope * (c->size[i].size + SIM_ENVELOPE_BYTES);
}

/* --- the platform ----------------------------------------------------------------------------- */

static enum status route_latency(const struct platform *p, double *out, struct err *e)
{
  struct platform_finder *f;
  struct platform_route route;
  if (platform_hosts(p) < 2)
    return err_set(e, "%s has one host, but the measured route is between two hosts",
                   platform_name(p));
  if (platform_finder_new(&f, p, e) != OK)
    return FAIL;
  const enum status s = platform_route(f, 0, 1, &route, e);
  *out = route.latency_s;
  platform_finder_free(f);
  return s;
}

/* Latency of the route if each link of the topology has the latency @p text. */
static enum status latency_with(const char *topology, const char *text, double *out, struct err *e)
{
  const struct platform_params params = {.latency = text};
  struct platform *p;
  if (platform_from_spec(&p, topology, &params, e) != OK)
    return FAIL;
  const enum status s = route_latency(p, out, e);
  platform_free(p);
  return s;
}

/* Latency of a link such that the route has the latency of @p c, which includes the latency of a
 * backbone. */
static enum status link_latency(const struct calibration *c, const char *topology, double *out,
                                struct err *e)
{
  double fixed, one;
  if (topology_is_multicluster(topology))
    return err_set(
        e, "%s: a spec of several clusters has its own latencies, which a calibration cannot set",
        topology);
  if (latency_with(topology, "0s", &fixed, e) != OK || latency_with(topology, "1s", &one, e) != OK)
    return FAIL;
  *out = (c->latency_s - fixed) / (one - fixed);
  if (*out >= 0)
    return OK;
  return err_set(
      e,
      "%s: the route from host 0 to host 1 has a latency of %g s without its links, above "
      "the measured %g s",
      topology, fixed, c->latency_s);
}

enum status calibration_platform(struct platform **out, const struct calibration *c,
                                 const char *topology, const struct platform_params *params,
                                 struct err *e)
{
  char speed[64], bandwidth[64], latency[64];
  struct platform_params q = *params;
  struct platform *p;
  double link = 0;
  if (link_latency(c, topology, &link, e) != OK)
    return FAIL;
  snprintf(speed, sizeof speed, "%.17gf", c->speed);
  snprintf(bandwidth, sizeof bandwidth, "%.17gBps", c->bandwidth);
  snprintf(latency, sizeof latency, "%.17gs", link);
  q.speed = speed;
  q.bandwidth = bandwidth;
  q.latency = latency;
  if (platform_from_spec(&p, topology, &q, e) != OK)
    return FAIL;
  for (int i = 0; i < PLATFORM_FACTORS; i++)
    platform_set_factors(p, (enum platform_factor)i, &c->factors[i]);
  *out = p;
  return OK;
}

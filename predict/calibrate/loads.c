#include "predict/calibrate/loads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "sim/model.h"

/* Two directions limit each other if their common rate is below the share LIMITS of the sum of the
 * rates of both.  A stream differs from the fit if its time is off by more than ERRORS standard
 * errors and by more than the share DIFFERS. */
static const double LIMITS = 0.98, ERRORS = 3, DIFFERS = 0.05;

static enum status measure(struct loads_point *out, struct measurements *m,
                           const struct measurements_test *test, struct err *e)
{
  OWNED struct measured *size = NULL;
  size_t n = 0;
  *out = (struct loads_point){0};
  if (m->samples == 0)
    return OK;
  if (measurements_by_size(m, test, 0.5, &size, &n, e) != OK)
    return FAIL;
  if (n == 0)
    return OK;
  const struct measured *x = &size[n - 1];
  *out = (struct loads_point){x->size, x->seconds, measurements_error(x)};
  return OK;
}

#define AT(POINT) offsetof(struct loads_fit, POINT)

/* The tests, and the places of their points in struct loads_fit. */
static const struct {
  size_t point;
  const struct measurements_test *test;
} TESTS[] = {{AT(stream), &test_stream},         {AT(exchange), &test_exchange},
             {AT(first), &test_first_exchange},  {AT(ring), &test_ring},
             {AT(pairs), &test_pairs},           {AT(within), &test_pingpong_within},
             {AT(all_within), &test_all_within}, {AT(busy), &test_stream_busy}};

enum status loads_measure(struct loads_fit *out, struct measurements *m, struct err *e)
{
  struct loads_fit l = {.effects = 0};
  for (size_t i = 0; i < sizeof TESTS / sizeof *TESTS; i++)
    if (measure((void *)((char *)&l + TESTS[i].point), m, TESTS[i].test, e) != OK)
      return FAIL;
  *out = l;
  return OK;
}

/* Time in s of a message of @p size bytes on the line of the last segment. */
static double last_time(const struct calibration *c, double size)
{
  const struct segment *s = &c->segment[c->segments - 1];
  return s->at_zero + s->slope * (size + SIM_ENVELOPE_BYTES);
}

void loads_extend(struct loads_fit *l, struct calibration *c, bool nominal)
{
  const struct loads_point *s = &l->stream;
  const struct segment *last = &c->segment[c->segments - 1];
  struct factors *latency = &c->factors[PLATFORM_LATENCY_FACTOR];
  struct factors *bandwidth = &c->factors[PLATFORM_BANDWIDTH_FACTOR];
  const double largest = c->size[c->sizes - 1].size;
  if (s->seconds <= 0 || s->size <= largest)
    return;
  const double off = fabs(s->seconds / last_time(c, s->size) - 1);
  if (off < DIFFERS)
    l->covered = s->size;
  if (off < DIFFERS || off < ERRORS * s->error || latency->count == FACTORS_MOST)
    return;
  l->covered = s->size;
  const double at_zero = fmin(last->at_zero, s->seconds / 10);
  const double rate = (s->size + SIM_ENVELOPE_BYTES) / (s->seconds - at_zero);
  const double before = calibration_rate(c);
  if (!nominal)
    c->bandwidth = fmax(c->bandwidth, rate);
  const double now = calibration_rate(c);
  for (uint32_t k = 0; k < bandwidth->count; k++)
    bandwidth->step[k].factor *= before / now;
  const double above = largest + SIM_ENVELOPE_BYTES;
  latency->step[latency->count++] = (struct factor_step){above, at_zero / c->latency_s};
  bandwidth->step[bandwidth->count++] = (struct factor_step){above, rate / now};
}

struct calibrated loads_range(const struct loads_fit *l, const struct measured *size, size_t sizes)
{
  return (struct calibrated){.smallest = (uint64_t)size[0].size,
                             .largest = (uint64_t)fmax(fmax(size[sizes - 1].size, l->covered), 1),
                             .within = l->within.seconds > 0,
                             .several = l->exchange.seconds > 0 || l->ring.seconds > 0 ||
                                        l->pairs.seconds > 0};
}

/* Latency in s and rate in byte/s of a message of @p size, by the factors of the calibration. */
static void parts_of(const struct calibration *c, double size, double *latency, double *rate)
{
  const double bytes = size + SIM_ENVELOPE_BYTES;
  *latency = c->latency_s * factors_at(c->factors[PLATFORM_LATENCY_FACTOR].step, bytes);
  *rate = calibration_rate(c) * factors_at(c->factors[PLATFORM_BANDWIDTH_FACTOR].step, bytes);
}

/* Rate of both directions together in a test of messages both ways; INFINITY if the test was not
 * made, or if the directions do not limit each other. */
static double both_ways(const struct loads_point *p, const struct calibration *c)
{
  double latency, rate;
  if (p->seconds <= 0)
    return INFINITY;
  parts_of(c, p->size, &latency, &rate);
  const double time = fmax(p->seconds - latency, p->seconds / 10);
  const double both = 2 * (p->size + SIM_ENVELOPE_BYTES) / time;
  return both < LIMITS * 2 * rate ? both : INFINITY;
}

static void put_rate(char *text, const char *name, double rate)
{
  const size_t n = strlen(text);
  if (rate < INFINITY)
    snprintf(text + n, LOADS_TEXT - n, "%s%s=%.6gBps", text[n - 1] == ':' ? "" : ",", name, rate);
}

static char *next_effect(struct loads_fit *l, const char *begin)
{
  char *text = l->effect[l->effects++];
  snprintf(text, LOADS_TEXT, "%s", begin);
  return text;
}

static void set_within(struct loads_fit *l)
{
  const struct loads_point *w = &l->within, *all = &l->all_within;
  if (w->seconds <= 0)
    return;
  char *text = next_effect(l, "within:");
  put_rate(text, "bandwidth", w->size / w->seconds);
  if (all->seconds > 0)
    put_rate(text, "total", all->size / all->seconds);
}

void loads_set_effects(struct loads_fit *l, const struct calibration *c, uint32_t busy)
{
  const double pair = both_ways(&l->exchange, c), ring = both_ways(&l->ring, c);
  const double first = both_ways(&l->first, c);
  l->effects = 0;
  /* As limits, factors above 1 would not lift the rate of a route of large latency. */
  if ((l->stream.seconds > 0 || pair < INFINITY || ring < INFINITY) &&
      calibration_rate(c) >= c->bandwidth)
    next_effect(l, "flow-limits");
  if (pair < INFINITY || ring < INFINITY) {
    char *text = next_effect(l, "ports:");
    put_rate(text, "both", ring);
    put_rate(text, "pair", pair);
    put_rate(text, "fresh", first < LIMITS * pair ? first : INFINITY);
  }
  set_within(l);
  if (l->busy.seconds > 0 && l->stream.seconds > 0)
    snprintf(next_effect(l, ""), LOADS_TEXT, "beside:curve=0:%.6gBps,%u:%.6gBps",
             l->stream.size / l->stream.seconds, busy, l->busy.size / l->busy.seconds);
}

const char *loads_missing(const struct loads_fit *l, char *text)
{
  *text = '\0';
  for (size_t i = 0; i < sizeof TESTS / sizeof *TESTS; i++)
    if (((const struct loads_point *)((const char *)l + TESTS[i].point))->seconds <= 0)
      err_list(text, LOADS_TEXT, TESTS[i].test->name);
  if (*text == '\0')
    snprintf(text, LOADS_TEXT, "-");
  return text;
}

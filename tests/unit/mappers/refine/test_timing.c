/* The estimate of time that is maintained while ranks move equals its definition, computed anew
 * from the routes. */
#include <math.h>
#include <stdlib.h>

#include "mappers/refine/swaps.h"
#include "mappers/refine/timing.h"
#include "platforms/factors.h"
#include "tests/unit/mappers/merge.h"

enum { MOVES = 200, CHECKED = 20 };

static const struct factor_step LATENCY[] = {{0, 2}, {1000, 3}, {0, 0}},
                                BANDWIDTH[] = {{0, 0.5}, {1000, 0.9}, {0, 0}};

static const struct {
  const char *spec;
  uint32_t ranks, per_host;
} CASE[] = {
    {"torus:4x4x2", 32, 1},
    {"mesh:5x3", 13, 1},
    {"fattree:k=4", 20, 2},
    {"fattree:down=4x4,up=1x2,cables=1x1", 16, 1},
    {"dragonfly:groups=3,chassis=2,routers=2,nodes=2", 22, 1},
    {"random-clusters:hosts=24,sizes=8+16,seed=4", 30, 2},
    {"tests/data/zones.xml", 6, 2}, /* has links without contention */
};

/* Draws messages of several phases, some of them equal. */
static struct phases draw_phases(struct rng *r, uint32_t ranks)
{
  struct phase_list l = {0};
  struct phases p;
  struct err e;
  for (uint64_t depth = 0; depth < 8; depth++)
    for (uint32_t i = 0; i < ranks; i++) {
      const uint32_t a = (uint32_t)rng_below(r, ranks), b = (uint32_t)rng_below(r, ranks);
      const struct phase_message x = {a, b, 1 + rng_below(r, 100000),
                                      (double)(1 + rng_below(r, 3))};
      if (a != b)
        assert_int_equal(phase_list_add(&l, &x, depth, 1 + depth % 3, PHASE_NONE, &e), OK);
    }
  assert_int_equal(phases_new(&p, &l, ranks, NULL, &e), OK);
  phase_list_clear(&l);
  for (uint32_t i = 0; i < ranks; i++)
    p.flops[i] = 1e6 * (double)(1 + rng_below(r, 9));
  return p;
}

static enum status get_phases(void *data, const struct phases **out, struct err *e)
{
  (void)e;
  *out = data;
  return OK;
}

/* The mean latency of a phase plus the 8-norm of the seconds of its links. */
static double phase_time(const struct mapper_input *in, const struct phases *p, uint32_t k,
                         const uint32_t *host)
{
  struct platform_finder *f;
  struct err e;
  double *load = calloc(platform_link_ids(in->platform), sizeof *load), norm = 0, latency = 0;
  double messages = 0;
  assert_non_null(load);
  assert_int_equal(platform_finder_new(&f, in->platform, &e), OK);
  for (size_t i = p->first[k]; i < p->first[k + 1]; i++) {
    const struct phase_message *x = &p->message[i];
    const double bytes = (double)x->bytes + 16;
    struct platform_route there, back;
    messages += x->messages;
    if (host[x->src] == host[x->dst])
      continue;
    assert_int_equal(platform_route(f, host[x->dst], host[x->src], &back, &e), OK);
    const double back_s = back.latency_s;
    assert_int_equal(platform_route(f, host[x->src], host[x->dst], &there, &e), OK);
    latency += x->messages * factors_at(LATENCY, bytes) * (there.latency_s + back_s) / 2;
    for (uint32_t n = 0; n < there.links; n++)
      if (!platform_link(in->platform, there.link[n]).fat)
        load[there.link[n]] += round(x->messages * bytes / factors_at(BANDWIDTH, bytes));
  }
  for (uint32_t n = 0; n < platform_link_ids(in->platform); n++)
    if (load[n] > 0)
      norm += pow(load[n] / platform_link(in->platform, n).bandwidth, 8);
  platform_finder_free(f);
  free(load);
  return pow(norm, 1.0 / 8) + latency / messages;
}

/* The 16-norm of the seconds that hosts compute. */
static double host_times(const struct mapper_input *in, const struct phases *p,
                         const uint32_t *host)
{
  double norm = 0;
  for (uint32_t h = 0; h < platform_hosts(in->platform); h++) {
    double flops = 0;
    uint32_t ranks = 0;
    for (uint32_t r = 0; r < in->ranks; r++)
      if (host[r] == h) {
        flops += 2 * p->flops[r];
        ranks++;
      }
    const uint32_t cores = platform_host_cores(in->platform, h);
    if (ranks > 0)
      norm +=
          pow(flops / platform_host_speed(in->platform, h) / (ranks < cores ? ranks : cores), 16);
  }
  return pow(norm, 1.0 / 16);
}

static void check(const struct swaps *s, const struct mapper_input *in, const struct phases *p,
                  const char *what, int move)
{
  const double got = timing_value(s->timing);
  double want = host_times(in, p, s->host);
  for (size_t i = 0; i < p->steps; i++)
    want += (double)p->step[i].times * phase_time(in, p, p->step[i].phase, s->host);
  if (fabs(got - want) > 1e-9 * want)
    fail_msg("%s, move %d: %.15g s instead of %.15g s", what, move, got, want);
}

/* The change that an exchange announces is the change that it makes, up to the rounding of roots.
 */
static void move_once(struct swaps *s, struct rng *r, const char *what)
{
  const double before = timing_value(s->timing);
  const double change =
      swaps_try(s, (uint32_t)rng_below(r, s->ranks), (uint32_t)rng_below(r, s->slots));
  if (rng_below(r, 3) == 0) {
    swaps_drop(s);
    assert_true(timing_value(s->timing) == before);
    return;
  }
  swaps_take(s);
  if (fabs(timing_value(s->timing) - before - change) > 1e-6 * before)
    fail_msg("%s: %.15g s and %.15g s make %.15g s", what, before, change, timing_value(s->timing));
}

static void values_are_as_defined(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(CASE); i++) {
    struct rng r = rng_new(i, 7);
    struct platform *p = opened_platform(CASE[i].spec);
    struct phases phases = draw_phases(&r, CASE[i].ranks);
    const struct matrix none = {.ranks = CASE[i].ranks};
    const struct mapper_phases get = {&phases, get_phases};
    const struct mapper_input in = {
        .platform = p,
        .traffic = &none,
        .ranks = CASE[i].ranks,
        .ranks_per_host = CASE[i].per_host,
        .phases = &get,
        .model = {
            .latency = LATENCY, .bandwidth = BANDWIDTH, .envelope_bytes = 16, .compute_scale = 2}};
    uint32_t host[64];
    struct swaps s;
    struct err e;
    for (uint32_t k = 0; k < in.ranks; k++)
      host[k] = k / in.ranks_per_host;
    if (swaps_new(&s, &in, OBJECTIVE_TIME, host, &e) != OK)
      fail_msg("%s: %s", CASE[i].spec, e.text);
    for (int move = 0; move < MOVES; move++) {
      if (move % CHECKED == 0)
        check(&s, &in, &phases, CASE[i].spec, move);
      move_once(&s, &r, CASE[i].spec);
    }
    check(&s, &in, &phases, CASE[i].spec, MOVES);
    swaps_clear(&s);
    phases_clear(&phases);
    platform_free(p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_are_as_defined)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

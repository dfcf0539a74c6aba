#include "sim/effects/effects.h"

#include <math.h>
#include <string.h>

#include "common/numeric/rng.h"
#include "common/spec.h"
#include "platforms/platform.h"
#include "platforms/profile.h"
#include "platforms/profiles.h"

static const double PI = 3.14159265358979323846;

/* Number of changes of a drifting speed; lower bounds of the factors on speeds and computations. */
enum { STEPS = 1000 };
static const double LEAST_SPEED = 0.01, LEAST_FACTOR = 0.01;

/* Texts and values of the options of one spec, before they are set. */
union record {
  struct effect_ports ports;
  struct effect_within within;
  struct effect_noise noise;
  struct effect_speeds speeds;
  struct {
    const char *curve;
    double per_flop;
  } points;
};

#define AT(FIELD) offsetof(union record, FIELD)

static const struct spec_option NO_OPTIONS[] = {{.name = NULL}};

static const struct spec_option PORTS[] = {
    {"in", SPEC_BANDWIDTH, AT(ports.in), "", .help = "receive bandwidth of a host"},
    {"out", SPEC_BANDWIDTH, AT(ports.out), "", .help = "send bandwidth of a host"},
    {"both", SPEC_BANDWIDTH, AT(ports.both), "",
     .help = "bandwidth of both directions of a host together"},
    {"pair", SPEC_BANDWIDTH, AT(ports.pair), "",
     .help = "bandwidth of both directions between two hosts"},
    {"flow", SPEC_BANDWIDTH, AT(ports.flow), "",
     .help = "bandwidth of one message between two hosts"},
    {"fresh", SPEC_BANDWIDTH, AT(ports.fresh), "",
     .help = "pair= in the first exchange after one with another host", .needs = "pair"},
    {.name = NULL},
};

static const struct spec_option CURVE[] = {
    {"curve", SPEC_TEXT, AT(points.curve), NULL, .help = "NUMBER:VALUE,NUMBER:VALUE..."},
    {.name = NULL},
};

static const struct spec_option MEMORY[] = {
    {"curve", SPEC_TEXT, AT(points.curve), NULL,
     .help = "bandwidth of a host's memory by ranks that compute, as 1:3GBps,4:4GBps"},
    {"per-flop", SPEC_DOUBLE, AT(points.per_flop), "0",
     .help = "memory traffic in bytes per flop, if the trace does not state it", .most = 1e6},
    {.name = NULL},
};

static const struct spec_option WITHIN[] = {
    {"bandwidth", SPEC_BANDWIDTH, AT(within.bandwidth), NULL, .help = "of one message"},
    {"total", SPEC_BANDWIDTH, AT(within.total), "", .help = "of all messages within a host"},
    {"latency", SPEC_TIME, AT(within.latency_s), "1us", .help = "of a message"},
    {.name = NULL},
};

static const struct spec_option NOISE[] = {
    {"sd", SPEC_SHARE, AT(noise.sd), NULL,
     .help = "standard deviation of a computation's time, relative to its mean", .most = 0.7},
    {"spread", SPEC_SHARE, AT(noise.spread), "0",
     .help = "standard deviations of hosts differ by up to this share", .most = 1},
    {"seed", SPEC_U64, AT(noise.seed), "1", .help = "of the random numbers", .most = 0x1p63},
    {.name = NULL},
};

static const struct spec_option SPEEDS[] = {
    {"sd", SPEC_SHARE, AT(speeds.sd), NULL,
     .help = "standard deviation of the hosts' speeds, relative to their mean", .most = 0.5},
    {"drift", SPEC_SHARE, AT(speeds.drift), "0",
     .help = "standard deviation of each later change of a host's speed", .most = 0.5},
    {"every", SPEC_TIME, AT(speeds.every_s), "60s", .help = "time between two changes"},
    {"seed", SPEC_U64, AT(speeds.seed), "1", .help = "of the random numbers", .most = 0x1p63},
    {.name = NULL},
};

/* The part of a simulation that an effect changes, and the engines that support it. */
enum reach {
  CHANGES_NETWORK,      /* bandwidth sharing; only engine flow */
  CHANGES_HOSTS,        /* CPU sharing; only engine flow */
  CHANGES_COMPUTATIONS, /* amounts and speeds of computations; all engines */
};

struct effect_kind {
  const char *name, *example, *help;
  enum reach reach;
  const struct spec_option *options;
  enum status (*set)(struct effects *x, const union record *r, struct err *e);
};

/* --- kinds ------------------------------------------------------------------------------------ */

static enum status set_flow_limits(struct effects *x, const union record *r, struct err *e)
{
  (void)r;
  (void)e;
  x->flow_limits = true;
  return OK;
}

static enum status set_ports(struct effects *x, const union record *r, struct err *e)
{
  const struct effect_ports *p = &r->ports;
  x->ports = *p;
  return p->in > 0 || p->out > 0 || p->both > 0 || p->pair > 0 || p->flow > 0
             ? OK
             : err_set(e, "expected in=, out=, both=, pair= or flow=");
}

static enum status set_incast(struct effects *x, const union record *r, struct err *e)
{
  return curve_parse(&x->incast, r->points.curve, CURVE_BANDWIDTH, e);
}

static enum status set_beside(struct effects *x, const union record *r, struct err *e)
{
  return curve_parse(&x->beside, r->points.curve, CURVE_BANDWIDTH, e);
}

static enum status set_contention(struct effects *x, const union record *r, struct err *e)
{
  return curve_parse(&x->contention, r->points.curve, CURVE_SHARE, e);
}

static enum status set_memory(struct effects *x, const union record *r, struct err *e)
{
  x->per_flop = r->points.per_flop;
  return curve_parse(&x->memory, r->points.curve, CURVE_BANDWIDTH, e);
}

static enum status set_within(struct effects *x, const union record *r, struct err *e)
{
  (void)e;
  x->within = r->within;
  return OK;
}

static enum status set_noise(struct effects *x, const union record *r, struct err *e)
{
  x->noise = r->noise;
  return r->noise.sd > 0 ? OK : err_set(e, "sd= must be above 0");
}

static enum status set_speeds(struct effects *x, const union record *r, struct err *e)
{
  const struct effect_speeds *s = &r->speeds;
  x->speeds = *s;
  if (s->sd <= 0 && s->drift <= 0)
    return err_set(e, "sd= or drift= must be above 0");
  return s->every_s > 0 ? OK : err_set(e, "every= must be above 0");
}

static const struct effect_kind
    FLOW_LIMITS = {"flow-limits",
                   "flow-limits",
                   "bandwidth factors limit each flow and leave the rest of a link to others",
                   CHANGES_NETWORK,
                   NO_OPTIONS,
                   set_flow_limits},
    PORTS_OF_HOSTS = {"ports",
                      "ports:in=1.15GBps,out=1.15GBps,both=1.64GBps,pair=1.15GBps",
                      "limits of a host's network interface, besides the links",
                      CHANGES_NETWORK,
                      PORTS,
                      set_ports},
    INCAST = {"incast",
              "incast:curve=1:5GBps,2:8.4GBps,4:8.5GBps",
              "receive bandwidth of a host, by the number of its incoming messages",
              CHANGES_NETWORK,
              CURVE,
              set_incast},
    BESIDE = {"beside",
              "beside:curve=0:12.2GBps,32:1.9GBps",
              "send and receive bandwidth of a host, by the number of ranks that compute on it",
              CHANGES_NETWORK,
              CURVE,
              set_beside},
    WITHIN_HOSTS = {"within",
                    "within:bandwidth=4GBps,total=12GBps,latency=1us",
                    "messages between ranks of a host, without the model's factors",
                    CHANGES_NETWORK,
                    WITHIN,
                    set_within},
    CONTENTION =
        {"contention",
         "contention:curve=1:1,4:0.45",
         "share of its speed that each rank has, by the number of ranks that compute on its host",
         CHANGES_HOSTS,
         CURVE,
         set_contention},
    MEMORY_OF_HOSTS = {"memory",
                       "memory:curve=1:3GBps,4:4GBps,per-flop=0.5",
                       "ranks that compute share the memory bandwidth of their host",
                       CHANGES_HOSTS,
                       MEMORY,
                       set_memory},
    NOISE_OF_HOSTS = {"noise",
                      "noise:sd=2%,spread=50%,seed=1",
                      "half-normal noise of each computation, by host",
                      CHANGES_COMPUTATIONS,
                      NOISE,
                      set_noise},
    SPEEDS_OF_HOSTS = {"speeds",
                       "speeds:sd=1%,drift=0.2%,every=60s,seed=1",
                       "host speeds that differ and drift over time",
                       CHANGES_COMPUTATIONS,
                       SPEEDS,
                       set_speeds};

#define LIST(ROW)                                                                                  \
  ROW(FLOW_LIMITS)                                                                                 \
  ROW(PORTS_OF_HOSTS)                                                                              \
  ROW(INCAST)                                                                                      \
  ROW(BESIDE)                                                                                      \
  ROW(WITHIN_HOSTS)                                                                                \
  ROW(CONTENTION)                                                                                  \
  ROW(MEMORY_OF_HOSTS)                                                                             \
  ROW(NOISE_OF_HOSTS)                                                                              \
  ROW(SPEEDS_OF_HOSTS)

const struct registry effect_kinds = REGISTRY("effect", LIST);

const char *effect_example(size_t i)
{
  return ((const struct effect_kind *)registry_at(&effect_kinds, i))->example;
}

const char *effect_help(size_t i)
{
  return ((const struct effect_kind *)registry_at(&effect_kinds, i))->help;
}

/* --- specs ------------------------------------------------------------------------------------ */

static const struct effect_kind *kind_of(const char *spec)
{
  return registry_find(&effect_kinds, spec, strcspn(spec, ":"));
}

enum status effects_add(struct effects *x, const char *spec, struct err *e)
{
  const char *options;
  union record r;
  struct spec s;
  struct err why;
  const struct effect_kind *kind = spec_row(&effect_kinds, spec, &options, e);
  if (kind == NULL)
    return FAIL;
  if (x->count == EFFECTS_MOST)
    return err_set(e, "more than %d effects", EFFECTS_MOST);
  for (size_t i = 0; i < x->count; i++)
    if (kind_of(x->spec[i]) == kind)
      return err_set(e, "effect '%s' is given twice", kind->name);
  if (spec_parse(&s, kind->options, options, &r, &why) != OK)
    return err_set(e, "effect '%.200s': %s", spec, why.text);
  const enum status status = kind->set(x, &r, &why);
  spec_clear(&s);
  if (status != OK)
    return err_set(e, "effect '%.200s': %s", spec, why.text);
  x->spec[x->count++] = spec;
  return OK;
}

enum status effects_need_engine(const struct effects *x, const char *engine, struct err *e)
{
  for (size_t i = 0; i < x->count; i++) {
    const struct effect_kind *kind = kind_of(x->spec[i]);
    if (kind->reach != CHANGES_COMPUTATIONS)
      return err_set(e, "effect '%s': engine '%s' lacks it; engine 'flow' has it", kind->name,
                     engine);
  }
  return OK;
}

enum status effects_need_plain(const struct effects *x, const char *purpose, struct err *e)
{
  for (size_t i = 0; i < x->count; i++) {
    const struct effect_kind *kind = kind_of(x->spec[i]);
    if (kind->reach != CHANGES_COMPUTATIONS)
      return err_set(e, "effect '%s' cannot be combined with %s", kind->name, purpose);
  }
  return OK;
}

bool effects_limit_hosts(const struct effects *x)
{
  const struct effect_ports *p = &x->ports;
  return p->in > 0 || p->out > 0 || p->both > 0 || p->pair > 0 || x->incast.count > 0 ||
         x->beside.count > 0;
}

/* --- random numbers --------------------------------------------------------------------------- */

double effects_noise(const struct effect_noise *n, uint64_t seed, uint32_t host, uint32_t rank,
                     uint64_t nth)
{
  if (n->sd <= 0)
    return 1;
  struct rng of_host = rng_new(n->seed + seed, (UINT64_C(1) << 63) + host);
  struct rng of_call = rng_new(n->seed + seed, ((uint64_t)rank << 38) + nth);
  const double sd = n->sd * (1 + n->spread * (2 * rng_double(&of_host) - 1));
  return fmax(1 + sd * rng_half_normal(&of_call), LEAST_FACTOR);
}

/* The least factor of noise is 1 - 1.32 times the largest sd.  A normally distributed speed has no
 * upper bound, so that its factor on times has only the lower bound 0. */
double effects_least(const struct effects *x)
{
  const double mean = sqrt(2 / PI), deviation = sqrt(1 - mean * mean);
  const double sd = x->noise.sd * (1 + x->noise.spread);
  if (x->speeds.sd > 0 || x->speeds.drift > 0)
    return 0;
  return fmax(1 - sd * mean / deviation, LEAST_FACTOR);
}

enum status effects_add_profiles(const struct effects *x, const struct platform *p, uint64_t seed,
                                 struct profiles *out, struct err *e)
{
  const struct effect_speeds *s = &x->speeds;
  if (s->sd <= 0 && s->drift <= 0)
    return OK;
  for (uint32_t h = 0; h < platform_hosts(p); h++) {
    struct rng rng = rng_new(s->seed + seed, (UINT64_C(1) << 62) + h);
    struct profile one = {.kind = PROFILE_SPEED, .target = h, .repeat_s = -1};
    double speed = fmax(1 + s->sd * rng_normal(&rng), LEAST_SPEED);
    enum status status = profile_add_event(&one, 0, speed, e);
    for (int i = 0; status == OK && s->drift > 0 && i < STEPS; i++) {
      speed = fmax(speed + s->drift * rng_normal(&rng), LEAST_SPEED);
      status = profile_add_event(&one, s->every_s, speed, e);
    }
    if (status == OK)
      status = profiles_add(out, p, &one, e);
    if (status != OK) {
      profile_clear(&one);
      return FAIL;
    }
  }
  return OK;
}

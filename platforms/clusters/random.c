/* Random clusters: table 2 of the MEGA paper (docs/models.md). */
#include <inttypes.h>
#include <string.h>

#include "common/num.h"
#include "common/numeric/rng.h"
#include "platforms/clusters/multicluster.h"

/* Maximum number of values in inside=. */
enum { MOST_INSIDE = 16 };

struct draw {
  struct rng rng;
  uint64_t seed;
  uint32_t hosts;
  struct spec_list sizes;
  const char *speed, *insides; /* as text */
  double slowest, fastest, latency_s, inside[MOST_INSIDE];
  uint32_t inside_count;
  struct wan wan;
};

#define AT(FIELD) offsetof(struct draw, FIELD)

static const struct spec_option OPTIONS[] = {
    {"hosts", SPEC_U32, AT(hosts), "100", .help = "clusters are added up to this number of hosts",
     .least = 1, .most = TOPOLOGY_MAX_HOSTS},
    {"sizes", SPEC_LIST, AT(sizes), "8+16+32", .help = "hosts of a cluster", .least = 1,
     .most = TOPOLOGY_MAX_HOSTS, .separator = '+'},
    {"speed", SPEC_TEXT, AT(speed), "0.5Gf..3Gf", .help = "range of the speeds of hosts"},
    {"inside", SPEC_TEXT, AT(insides), "50MBps+100MBps", .help = "bandwidths within a cluster"},
    {"between", SPEC_BANDWIDTH, AT(wan.bandwidth_Bps), "1MBps",
     .help = "bandwidth between two clusters"},
    {"rtt", SPEC_TIME, AT(wan.rtt_s), "10ms", .help = "round-trip time between two clusters"},
    {"latency", SPEC_TIME, AT(latency_s), "25us", .help = "of the links of a cluster"},
    {"sharing", SPEC_CHOICE, AT(wan.sharing), "pair",
     .help = "the connections that share a bandwidth", .names = wan_sharings},
    {"seed", SPEC_U64, AT(seed), "1", .help = "of the random numbers"},
    {.name = NULL},
};

/* Parses the first @p length bytes of @p text, a value of option @p name. */
static enum status read_quantity(const char *name, const char *text, size_t length,
                                 enum num_unit unit, double *out, struct err *e)
{
  char word[64];
  snprintf(word, sizeof word, "%.*s", length < sizeof word ? (int)length : 0, text);
  return num_quantity(word, unit, out, e) == OK ? OK : err_prefix(e, "%s: ", name);
}

/* Parses "0.5Gf..3Gf", or one speed for both bounds. */
static enum status read_speeds(struct draw *d, struct err *e)
{
  const char *dots = strstr(d->speed, ".."), *last = dots == NULL ? d->speed : dots + 2;
  const size_t length = dots == NULL ? strlen(d->speed) : (size_t)(dots - d->speed);
  if (read_quantity("speed", d->speed, length, NUM_SPEED, &d->slowest, e) != OK ||
      read_quantity("speed", last, strlen(last), NUM_SPEED, &d->fastest, e) != OK)
    return FAIL;
  return d->slowest <= d->fastest ? OK
                                  : err_set(e, "speed: %g is above %g", d->slowest, d->fastest);
}

static enum status read_insides(struct draw *d, struct err *e)
{
  for (const char *text = d->insides;; text++) {
    const size_t n = strcspn(text, "+");
    if (d->inside_count == MOST_INSIDE)
      return err_set(e, "inside: more than %d bandwidths", MOST_INSIDE);
    if (read_quantity("inside", text, n, NUM_BANDWIDTH, &d->inside[d->inside_count++], e) != OK)
      return FAIL;
    text += n;
    if (*text == '\0')
      return OK;
  }
}

/* Draws one cluster of equal hosts. */
static enum status draw_site(struct draw *d, struct multicluster *m, uint32_t *hosts, struct err *e)
{
  char name[SITE_NAME_MAX], options[160];
  const uint32_t size = d->sizes.value[rng_below(&d->rng, d->sizes.count)];
  const double speed = d->slowest + (d->fastest - d->slowest) * rng_double(&d->rng);
  const double inside = d->inside[rng_below(&d->rng, d->inside_count)];
  snprintf(name, sizeof name, "G%" PRIu32, m->sites);
  snprintf(options, sizeof options, "hosts=%" PRIu32 "x%.17gf bandwidth=%.17gBps latency=%.17gs",
           size, speed, inside, d->latency_s);
  *hosts += size;
  return multicluster_add(m, name, options, e);
}

static enum status draw(struct multicluster *m, struct draw *d, struct err *e)
{
  uint32_t hosts = 0;
  d->rng = rng_new(d->seed, 0);
  if (read_speeds(d, e) != OK || read_insides(d, e) != OK)
    return FAIL;
  while (hosts < d->hosts)
    if (draw_site(d, m, &hosts, e) != OK)
      return FAIL;
  if (multicluster_join(m, e) != OK)
    return FAIL;
  for (size_t i = 0; i < (size_t)m->sites * m->sites; i++)
    m->wan[i] = d->wan;
  return OK;
}

enum status multicluster_draw(struct multicluster *m, const char *options, struct err *e)
{
  struct draw d = {.hosts = 0};
  struct spec s;
  if (spec_parse(&s, OPTIONS, options, &d, e) != OK)
    return FAIL;
  const enum status status = draw(m, &d, e);
  spec_clear(&s);
  return status;
}

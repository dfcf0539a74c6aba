/* Random clusters: table 2 of the MEGA paper (docs/models.md). */
#define _DEFAULT_SOURCE
#include <inttypes.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "common/numeric/rng.h"
#include "platforms/clusters/multicluster.h"

enum { HOSTS, SIZES, SPEED, INSIDE, BETWEEN, RTT, LATENCY, SHARING, SEED, FIELDS };

/* Maximum number of values in a field. */
enum { MOST_VALUES = 16 };

struct draw {
  struct field field[FIELDS];
  struct rng rng;
  uint32_t hosts, sizes, size[MOST_VALUES];
  uint32_t insides;
  double inside[MOST_VALUES];
  double slowest, fastest;
  struct wan wan;
};

static const struct field NAMES[FIELDS] = {
    [HOSTS] = {.name = "hosts"},     [SIZES] = {.name = "sizes"},     [SPEED] = {.name = "speed"},
    [INSIDE] = {.name = "inside"},   [BETWEEN] = {.name = "between"}, [RTT] = {.name = "rtt"},
    [LATENCY] = {.name = "latency"}, [SHARING] = {.name = "sharing"}, [SEED] = {.name = "seed"},
};

/* Default values of the fields. */
static const char *const DEFAULTS[FIELDS] = {
    [HOSTS] = "100",     [SIZES] = "8+16+32", [SPEED] = "0.5Gf..3Gf", [INSIDE] = "50MBps+100MBps",
    [BETWEEN] = "1MBps", [RTT] = "10ms",      [LATENCY] = "25us",     [SHARING] = "pair",
    [SEED] = "1",
};

/* Parses one part of a field. */
static enum status read_quantity(const struct field *f, const char *text, enum num_unit unit,
                                 double *out, struct err *e)
{
  return num_quantity(text, unit, out, e) == OK ? OK : err_prefix(e, "%s: ", f->name);
}

/* Parses "0.5Gf..3Gf", or one speed for both bounds. */
static enum status read_speeds(struct draw *d, struct err *e)
{
  struct field *f = &d->field[SPEED];
  char *dots = strstr(f->value, "..");
  if (dots != NULL)
    *dots = '\0';
  if (read_quantity(f, f->value, NUM_SPEED, &d->slowest, e) != OK ||
      read_quantity(f, dots == NULL ? f->value : dots + 2, NUM_SPEED, &d->fastest, e) != OK)
    return FAIL;
  return d->slowest <= d->fastest ? OK
                                  : err_set(e, "speed: %g is above %g", d->slowest, d->fastest);
}

static enum status read_insides(struct draw *d, struct err *e)
{
  char *rest = d->field[INSIDE].value;
  for (char *word; (word = strsep(&rest, "+")) != NULL; d->insides++) {
    if (d->insides == MOST_VALUES)
      return err_set(e, "inside: more than %d bandwidths", MOST_VALUES);
    if (read_quantity(&d->field[INSIDE], word, NUM_BANDWIDTH, &d->inside[d->insides], e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status read_fields(struct draw *d, const char *text, struct err *e)
{
  struct field *f = d->field;
  uint64_t seed;
  if (fields_parse(f, FIELDS, text, e) != OK)
    return FAIL;
  for (size_t i = 0; i < FIELDS; i++)
    if (f[i].value[0] == '\0')
      snprintf(f[i].value, sizeof f[i].value, "%s", DEFAULTS[i]);
  if (fields_number(&f[HOSTS], TOPOLOGY_MAX_HOSTS, 0, &d->hosts, e) != OK ||
      fields_list("sizes", f[SIZES].value, '+', TOPOLOGY_MAX_HOSTS, d->size, MOST_VALUES, &d->sizes,
                  e) != OK ||
      read_speeds(d, e) != OK || read_insides(d, e) != OK ||
      fields_quantity(&f[BETWEEN], NUM_BANDWIDTH, 0, &d->wan.bandwidth_Bps, e) != OK ||
      fields_quantity(&f[RTT], NUM_TIME, 0, &d->wan.rtt_s, e) != OK ||
      multicluster_sharing(f[SHARING].value, &d->wan.sharing, e) != OK)
    return FAIL;
  if (num_u64(f[SEED].value, UINT64_MAX, &seed, e) != OK)
    return err_prefix(e, "seed: ");
  d->rng = rng_new(seed, 0);
  return OK;
}

/* Draws one cluster of equal hosts. */
static enum status draw_site(struct draw *d, struct multicluster *m, uint32_t *hosts, struct err *e)
{
  struct field site[SITE_FIELDS];
  char name[SITE_NAME_MAX];
  const uint32_t size = d->size[rng_below(&d->rng, d->sizes)];
  const double speed = d->slowest + (d->fastest - d->slowest) * rng_double(&d->rng);
  const double inside = d->inside[rng_below(&d->rng, d->insides)];
  memcpy(site, site_fields, sizeof site);
  snprintf(name, sizeof name, "G%" PRIu32, m->sites);
  snprintf(site[SITE_HOSTS].value, FIELDS_LONGEST, "%" PRIu32 "x%.17gf", size, speed);
  snprintf(site[SITE_BANDWIDTH].value, FIELDS_LONGEST, "%.17gBps", inside);
  snprintf(site[SITE_LATENCY].value, FIELDS_LONGEST, "%s", d->field[LATENCY].value);
  *hosts += size;
  return multicluster_add(m, name, site, e);
}

enum status multicluster_draw(struct multicluster *m, const char *fields, struct err *e)
{
  struct draw d = {0};
  uint32_t hosts = 0;
  memcpy(d.field, NAMES, sizeof d.field);
  if (read_fields(&d, fields, e) != OK)
    return FAIL;
  while (hosts < d.hosts)
    if (draw_site(&d, m, &hosts, e) != OK)
      return FAIL;
  if (multicluster_join(m, e) != OK)
    return FAIL;
  for (size_t i = 0; i < (size_t)m->sites * m->sites; i++)
    m->wan[i] = d.wan;
  return OK;
}

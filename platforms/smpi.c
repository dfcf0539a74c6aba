#include "platforms/smpi.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/num.h"
#include "common/numeric/rising.h"

enum kind { COST, FACTORS, BYTES, SECONDS, PERIOD, WEIGHT, SWITCH, NO_EFFECT };

#define AT(FIELD) offsetof(struct smpi_options, FIELD)

/* PERIOD: seconds, above 0: a program may probe until it finds a message.  NO_EFFECT: accepted and
 * ignored.  SimGrid uses smpi/host-speed only for programs that it runs itself; the other options
 * are settings of its solver. */
static const struct option {
  const char *name;
  enum kind kind;
  size_t at;
} OPTIONS[] = {
    {"smpi/os", COST, AT(send)},
    {"smpi/ois", COST, AT(post)},
    {"smpi/or", COST, AT(receive)},
    {"smpi/loopback-lat-factor", FACTORS, AT(within[0])},
    {"smpi/loopback-bw-factor", FACTORS, AT(within[1])},
    {"smpi/async-small-thresh", BYTES, AT(eager_below)},
    {"smpi/send-is-detached-thresh", BYTES, AT(detached_below)},
    {"smpi/iprobe", PERIOD, AT(probe_s)},
    {"smpi/test", SECONDS, AT(test_s)},
    {"smpi/host-speed", NO_EFFECT, 0},
    {"network/weight-S", WEIGHT, AT(weight_bytes)},
    {"network/crosstraffic", SWITCH, AT(one_way)},
    {"maxmin/precision", NO_EFFECT, 0},
    {"surf/precision", NO_EFFECT, 0},
    {"maxmin/concurrency-limit", NO_EFFECT, 0},
};

enum { OPTIONS_COUNT = sizeof OPTIONS / sizeof *OPTIONS, STEP_ROOM = 160 };

static int by_size(const void *a, const void *b)
{
  return RISING(((const struct smpi_step *)a)->above, ((const struct smpi_step *)b)->above);
}

static enum status read_time(const char *text, double most, double *out, struct err *e)
{
  if (num_quantity_bare(text, NUM_TIME, out, e) != OK)
    return FAIL;
  return *out <= most ? OK : err_set(e, "%s is above %g s", text, most);
}

/* Parses a step, such as "7749:0.00031:1.47e-09". */
static enum status parse_step(char *text, struct smpi_step *out, struct err *e)
{
  char *base = strchr(text, ':'), *byte = base == NULL ? NULL : strchr(base + 1, ':');
  uint64_t above;
  if (byte == NULL)
    return err_set(e, "'%.80s' is not SIZE:SECONDS:SECONDS_PER_BYTE", text);
  *base++ = *byte++ = '\0';
  byte[strcspn(byte, ":")] = '\0'; /* SimGrid does not use further fields */
  if (num_u64(text, INT32_MAX, &above, e) != OK || read_time(base, 1e3, &out->base_s, e) != OK ||
      read_time(byte, 1, &out->byte_s, e) != OK)
    return err_prefix(e, "step of %.20s bytes: ", text);
  out->above = (double)above;
  return OK;
}

static enum status read_cost(struct smpi_cost *out, const char *value, struct err *e)
{
  struct smpi_cost c = {0};
  for (const char *at = value;; at++) {
    char step[STEP_ROOM];
    const size_t n = strcspn(at, ";");
    if (c.count == FACTORS_MOST || n >= sizeof step)
      return err_set(e, "more than %d steps, or a step of more than %d characters", FACTORS_MOST,
                     STEP_ROOM - 1);
    memcpy(step, at, n);
    step[n] = '\0';
    if (parse_step(step, &c.step[c.count++], e) != OK)
      return FAIL;
    at += n;
    if (*at == '\0' || at[1] == '\0')
      break;
  }
  qsort(c.step, c.count, sizeof c.step[0], by_size);
  *out = c;
  return OK;
}

static enum status read_switch(bool *off, const char *value, struct err *e)
{
  const bool no = strcmp(value, "false") == 0 || strcmp(value, "no") == 0 ||
                  strcmp(value, "0") == 0 || strcmp(value, "off") == 0;
  const bool yes = strcmp(value, "true") == 0 || strcmp(value, "yes") == 0 ||
                   strcmp(value, "1") == 0 || strcmp(value, "on") == 0;
  *off = no;
  return no || yes ? OK : err_set(e, "'%.40s' is not yes or no", value);
}

static enum status read_factors(struct factors *x, bool bandwidth, const char *value, struct err *e)
{
  if (factors_parse(x, value, e) != OK)
    return FAIL;
  for (uint32_t i = 0; bandwidth && i < x->count; i++)
    if (x->step[i].factor <= FACTORS_ZERO)
      return err_set(e, "a factor of 0 above %.0f bytes", x->step[i].above);
  return OK;
}

static enum status read_value(struct smpi_options *o, const struct option *k, const char *value,
                              struct err *e)
{
  void *at = (char *)o + k->at;
  double ignored;
  switch (k->kind) {
  case COST:
    return read_cost(at, value, e);
  case FACTORS:
    return read_factors(at, at == &o->within[1], value, e);
  case BYTES:
    return num_u64(value, INT64_MAX, at, e);
  case SECONDS:
  case PERIOD:
    return num_double(value, k->kind == PERIOD ? 1e-12 : 0, 1e3, at, e);
  case WEIGHT:
    o->has_weight = true;
    return num_double(value, 0, 1e12, at, e);
  case SWITCH:
    return read_switch(at, value, e);
  default:
    return num_double(value, -1, 1e300, &ignored, e);
  }
}

static bool is_given(const struct smpi_options *o, int i)
{
  return (o->seen & UINT32_C(1) << i) != 0;
}

enum status smpi_option_read(struct smpi_options *o, const char *id, const char *value, bool *known,
                             struct err *e)
{
  int i = 0;
  while (i < OPTIONS_COUNT && strcmp(OPTIONS[i].name, id) != 0)
    i++;
  *known = i < OPTIONS_COUNT;
  if (!*known)
    return OK;
  if (is_given(o, i))
    return err_set(e, "the option is set twice");
  o->seen |= UINT32_C(1) << i;
  return read_value(o, &OPTIONS[i], value, e);
}

double smpi_cost_at(const struct smpi_cost *c, uint64_t bytes)
{
  const double n = (double)bytes;
  double time = c->count == 0 ? 0 : c->step[0].base_s + c->step[0].byte_s * n;
  for (uint32_t i = 0; i < c->count && n > c->step[i].above; i++)
    time = c->step[i].base_s + c->step[i].byte_s * n;
  return time;
}

void smpi_option_names(char *text, size_t size)
{
  text[0] = '\0';
  for (int i = 0; i < OPTIONS_COUNT; i++)
    err_list(text, size, OPTIONS[i].name);
}

bool smpi_is_given(const struct smpi_options *o, const void *field)
{
  const size_t at = (size_t)((const char *)field - (const char *)o);
  int i = 0;
  while (i < OPTIONS_COUNT && (OPTIONS[i].kind == NO_EFFECT || OPTIONS[i].at != at))
    i++;
  return i < OPTIONS_COUNT && is_given(o, i);
}

enum status smpi_options_check(const struct smpi_options *o, struct err *e)
{
  const uint64_t detached =
      smpi_is_given(o, &o->detached_below) ? o->detached_below : SMPI_DETACHED_BELOW;
  if (o->eager_below <= detached)
    return OK;
  return err_set(e,
                 "smpi/async-small-thresh is %" PRIu64
                 ", above smpi/send-is-detached-thresh, which is %" PRIu64,
                 o->eager_below, detached);
}

const char *smpi_first_option(const struct smpi_options *o)
{
  for (int i = 0; i < OPTIONS_COUNT; i++)
    if (is_given(o, i))
      return OPTIONS[i].name;
  return NULL;
}

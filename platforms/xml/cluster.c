#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/num.h"
#include "platforms/platform_internal.h"

#define MAX_SIDES TOPOLOGY_MAX_DIMS

/* The attributes of <cluster> in SimGrid's DTD, the required ones first. */
enum {
  ID,
  PREFIX,
  SUFFIX,
  RADICAL,
  SPEED,
  BW,
  LAT,
  REQUIRED,
  TOPOLOGY = REQUIRED,
  TOPO_PARAMETERS,
  SHARING_POLICY,
  LOOPBACK_BW,
  LOOPBACK_LAT,
  LIMITER_LINK,
  CORE,
  ROUTER_ID,
  BB_BW,
  BB_LAT,
  BB_SHARING_POLICY,
  ATTRIBUTES
};

static const char *const NAMES[ATTRIBUTES + 1] = {
    [ID] = "id",
    [PREFIX] = "prefix",
    [SUFFIX] = "suffix",
    [RADICAL] = "radical",
    [SPEED] = "speed",
    [BW] = "bw",
    [LAT] = "lat",
    [TOPOLOGY] = "topology",
    [TOPO_PARAMETERS] = "topo_parameters",
    [SHARING_POLICY] = "sharing_policy",
    [LOOPBACK_BW] = "loopback_bw",
    [LOOPBACK_LAT] = "loopback_lat",
    [LIMITER_LINK] = "limiter_link",
    [CORE] = "core",
    [ROUTER_ID] = "router_id",
    [BB_BW] = "bb_bw",
    [BB_LAT] = "bb_lat",
    [BB_SHARING_POLICY] = "bb_sharing_policy",
};

struct cluster {
  const char *path;
  const xmlNode *node;
  const char *value[ATTRIBUTES]; /**< "" if absent */
  uint32_t side[MAX_SIDES];      /**< sides of 2 and more */
  uint32_t ndims;
  uint64_t hosts;
  bool opaque;
  struct err *e;
};

static enum status fail_at(const struct cluster *c, int attribute, const char *cause)
{
  return err_at(c->e, c->path, (uint64_t)xmlGetLineNo(c->node), "%s: %s", NAMES[attribute], cause);
}

static enum status read_quantity(const struct cluster *c, int attribute, enum num_unit unit,
                                 double *out)
{
  struct err cause;
  if (c->value[attribute][0] == '\0' && attribute >= REQUIRED)
    return OK;
  if (num_quantity(c->value[attribute], unit, out, &cause) != OK)
    return fail_at(c, attribute, cause.text);
  return OK;
}

static enum status read_quantities(struct cluster *c, struct platform *p)
{
  double unused;
  if (strchr(c->value[SPEED], ',') != NULL)
    c->opaque = true;
  else if (read_quantity(c, SPEED, NUM_SPEED, &p->speed) != OK)
    return FAIL;
  if (read_quantity(c, BW, NUM_BANDWIDTH, &p->bandwidth) != OK ||
      read_quantity(c, LAT, NUM_TIME, &p->latency) != OK ||
      read_quantity(c, LOOPBACK_BW, NUM_BANDWIDTH, &p->loopback_bandwidth) != OK ||
      read_quantity(c, LOOPBACK_LAT, NUM_TIME, &p->loopback_latency) != OK ||
      read_quantity(c, LIMITER_LINK, NUM_BANDWIDTH, &unused) != OK ||
      read_quantity(c, BB_BW, NUM_BANDWIDTH, &unused) != OK ||
      read_quantity(c, BB_LAT, NUM_TIME, &unused) != OK)
    return FAIL;
  if (c->value[LOOPBACK_BW][0] == '\0')
    return fail_at(c, LOOPBACK_BW,
                   "missing; without it SimGrid stops at a message from a rank to itself");
  if (c->value[LIMITER_LINK][0] != '\0')
    c->opaque = true;
  return OK;
}

/* Checks a value against @p choices, those of the DTD; *chosen is its index, or their number if the
 * attribute is absent. */
static enum status read_choice(const struct cluster *c, int attribute, const char *const *choices,
                               size_t *chosen)
{
  char cause[80];
  for (*chosen = 0; choices[*chosen] != NULL; ++*chosen)
    if (strcmp(c->value[attribute], choices[*chosen]) == 0)
      return OK;
  if (platform_xml_attribute(c->node, NAMES[attribute]) == NULL)
    return OK;
  snprintf(cause, sizeof cause, "SimGrid knows no policy '%.40s'", c->value[attribute]);
  return fail_at(c, attribute, cause);
}

static enum status read_policies(struct cluster *c)
{
  static const char *const sharing[] = {"SHARED", "FATPIPE", "SPLITDUPLEX", "FULLDUPLEX", NULL};
  static const char *const backbone[] = {"SHARED", "FATPIPE", NULL};
  size_t chosen, unused;
  if (read_choice(c, SHARING_POLICY, sharing, &chosen) != OK ||
      read_choice(c, BB_SHARING_POLICY, backbone, &unused) != OK)
    return FAIL;
  if (chosen < 2)
    c->opaque = true; /* one link for both ways, or one that is not shared */
  return OK;
}

static enum status read_core(struct cluster *c)
{
  struct err cause;
  uint64_t cores;
  if (platform_xml_attribute(c->node, NAMES[CORE]) == NULL)
    return OK;
  if (num_u64(c->value[CORE], INT_MAX, &cores, &cause) != OK)
    return fail_at(c, CORE, cause.text);
  if (cores == 0)
    return fail_at(c, CORE, "0 cores");
  if (cores != 1)
    c->opaque = true;
  return OK;
}

/* Reads a number at *text, which moves past it. */
static enum status read_number(const struct cluster *c, int attribute, const char **text,
                               uint64_t *out)
{
  char word[16];
  struct err cause;
  const size_t n = strspn(*text, "0123456789");
  snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), *text);
  if (n == 0) {
    char what[80];
    snprintf(what, sizeof what, "expected a number at '%.40s'", *text);
    return fail_at(c, attribute, what);
  }
  if (num_u64(word, INT_MAX, out, &cause) != OK)
    return fail_at(c, attribute, cause.text);
  *text += n;
  return OK;
}

static enum status add_side(struct cluster *c, uint64_t side)
{
  if (side == 0)
    return fail_at(c, TOPO_PARAMETERS, "a side of 0 hosts");
  c->hosts *= side;
  if (c->hosts > TOPOLOGY_MAX_HOSTS)
    return fail_at(c, TOPO_PARAMETERS, "more than 2^26 hosts");
  if (side > 1 && c->ndims < MAX_SIDES)
    c->side[c->ndims++] = (uint32_t)side;
  else if (side > 1)
    c->opaque = true;
  return OK;
}

static enum status read_sides(struct cluster *c)
{
  size_t ones = 0;
  c->hosts = 1;
  for (const char *text = c->value[TOPO_PARAMETERS];; text++) {
    uint64_t side;
    if (read_number(c, TOPO_PARAMETERS, &text, &side) != OK || add_side(c, side) != OK)
      return FAIL;
    ones += side == 1;
    if (*text == '\0')
      break;
    if (*text != ',')
      return fail_at(c, TOPO_PARAMETERS, "expected numbers with commas between them");
  }
  if (ones > 1)
    return fail_at(c, TOPO_PARAMETERS,
                   "two sides of 1, for which SimGrid declares the same link twice");
  return OK;
}

/* Reads "0-3" or "5"; *first and *last are the same for the latter. */
static enum status read_range(const struct cluster *c, const char **text, uint64_t *first,
                              uint64_t *last)
{
  if (read_number(c, RADICAL, text, first) != OK)
    return FAIL;
  *last = *first;
  if (**text != '-')
    return OK;
  ++*text;
  if (read_number(c, RADICAL, text, last) != OK)
    return FAIL;
  return *last < *first ? fail_at(c, RADICAL, "a range that ends before it begins") : OK;
}

/* Reads the numbers in host names.  Haichi counts from 0 without gaps; other numbers make the
 * platform opaque. */
static enum status read_radical(struct cluster *c)
{
  uint64_t count = 0;
  for (const char *text = c->value[RADICAL];; text++) {
    uint64_t first, last;
    if (read_range(c, &text, &first, &last) != OK)
      return FAIL;
    if (first != count)
      c->opaque = true;
    count += last - first + 1;
    if (*text == '\0')
      break;
    if (*text != ',')
      return fail_at(c, RADICAL, "expected numbers and ranges with commas between them");
  }
  if (count == c->hosts)
    return OK;
  return err_at(c->e, c->path, (uint64_t)xmlGetLineNo(c->node),
                "radical '%.40s' counts %llu hosts, topo_parameters '%.80s' makes %llu",
                c->value[RADICAL], (unsigned long long)count, c->value[TOPO_PARAMETERS],
                (unsigned long long)c->hosts);
}

/* Copies a name; false if it is too long or has more than graphic ASCII, which SimGrid and an XML
 * parser may read differently. */
static bool copy_name(char *out, const char *name)
{
  for (const char *p = name; *p != '\0'; p++)
    if (*p <= ' ' || *p > '~')
      return false;
  if (strlen(name) > PLATFORM_PART_MAX)
    return false;
  snprintf(out, PLATFORM_PART_MAX + 1, "%s", name);
  return true;
}

static enum status read_props(const struct cluster *c, const char **spec, uint64_t *line)
{
  static const char *const known[] = {"id", "value", NULL};
  *spec = NULL;
  for (const xmlNode *n = c->node->children; n != NULL; n = n->next) {
    if (n->type != XML_ELEMENT_NODE)
      continue;
    if (platform_xml_check(n, known, 2, c->path, c->e) != OK)
      return FAIL;
    if (*spec != NULL || strcmp(platform_xml_attribute(n, "id"), PLATFORM_PROP) != 0)
      continue;
    *spec = platform_xml_attribute(n, "value");
    *line = (uint64_t)xmlGetLineNo(n);
  }
  return OK;
}

static bool carried_by(const struct topology *t, const struct cluster *c)
{
  uint32_t ndims, n = 0;
  topology_sides(t, &ndims);
  for (uint32_t d = 0; d < ndims; d++) {
    const uint32_t side = topology_carrier_side(t, d);
    if (side == 1)
      continue;
    if (n == c->ndims || c->side[n] != side)
      return false;
    n++;
  }
  return n == c->ndims;
}

/* Without the property PLATFORM_PROP the topology is the cluster's own torus. */
static enum status plain_torus(struct cluster *c, struct platform *p)
{
  char spec[256] = "torus:";
  const char *text = c->value[TOPO_PARAMETERS];
  size_t n = strlen(spec);
  struct err ignored;
  if (strlen(text) >= sizeof spec - n) {
    c->opaque = true;
    return OK;
  }
  for (; *text != '\0'; text++)
    spec[n++] = (char)(*text == ',' ? 'x' : *text);
  if (topology_new(&p->topology, spec, &ignored) != OK)
    c->opaque = true; /* more than 8 sides */
  return OK;
}

static enum status read_topology(struct cluster *c, struct platform *p)
{
  const char *spec;
  uint64_t line;
  struct err cause;
  if (read_props(c, &spec, &line) != OK)
    return FAIL;
  if (spec == NULL)
    return plain_torus(c, p);
  if (topology_new(&p->topology, spec, &cause) != OK)
    return err_at(c->e, c->path, line, "%s", cause.text);
  if (!carried_by(p->topology, c))
    return err_at(c->e, c->path, line,
                  "property %s says %s, but a torus of topo_parameters '%.80s' does not carry it",
                  PLATFORM_PROP, topology_spec(p->topology), c->value[TOPO_PARAMETERS]);
  return OK;
}

enum status platform_cluster_read(struct platform *p, const xmlNode *node, bool *opaque,
                                  struct err *e)
{
  struct cluster c = {.path = p->path, .node = node, .e = e};
  if (platform_xml_check(node, NAMES, REQUIRED, p->path, e) != OK)
    return FAIL;
  for (int i = 0; i < ATTRIBUTES; i++) {
    const char *value = platform_xml_attribute(node, NAMES[i]);
    c.value[i] = value == NULL ? "" : value;
  }
  if (read_quantities(&c, p) != OK || read_policies(&c) != OK || read_core(&c) != OK ||
      read_sides(&c) != OK || read_radical(&c) != OK || read_topology(&c, p) != OK)
    return FAIL;
  *opaque = c.opaque || c.value[ID][0] == '\0' || !copy_name(p->id, c.value[ID]) ||
            !copy_name(p->prefix, c.value[PREFIX]) || !copy_name(p->suffix, c.value[SUFFIX]);
  return OK;
}

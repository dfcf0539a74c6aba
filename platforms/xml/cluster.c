#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/textout.h"
#include "common/mem.h"
#include "common/num.h"
#include "common/numeric/rising.h"
#include "platforms/platform_internal.h"
#include "platforms/topology/grid.h"
#include "platforms/topology/star.h"
#include "platforms/xml/radical.h"

/* The attributes of <cluster> in SimGrid's DTD, required ones first. */
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

struct reading {
  const char *path;
  const xmlNode *node;
  const char *value[ATTRIBUTES]; /**< "" if absent */
  struct cluster *c;             /**< the cluster being built */
  uint32_t hosts;                /**< number of hosts in the radical */
  struct star_backbone backbone;
  bool opaque;
  struct err *e;
};

static enum status fail_at(const struct reading *c, int attribute, const char *cause)
{
  return platform_xml_fail(c->e, c->path, c->node, "%s: %s", NAMES[attribute], cause);
}

static enum status read_quantity(const struct reading *c, int attribute, enum num_unit unit,
                                 double *out)
{
  const bool absent = c->value[attribute][0] == '\0' && attribute >= REQUIRED;
  return absent || num_quantity_bare(c->value[attribute], unit, out, c->e) == OK
             ? OK
             : fail_at(c, attribute, c->e->text);
}

/* Uses the first of several speeds (pstates). */
static enum status read_speed(const struct reading *r)
{
  char first[256];
  const size_t n = strcspn(r->value[SPEED], ",");
  if (n >= sizeof first)
    return fail_at(r, SPEED, "more than 255 characters");
  snprintf(first, sizeof first, "%.*s", (int)n, r->value[SPEED]);
  return num_quantity_bare(first, NUM_SPEED, &r->c->speed, r->e) == OK
             ? OK
             : fail_at(r, SPEED, r->e->text);
}

static enum status read_quantities(struct reading *r)
{
  struct cluster *c = r->c;
  if (read_speed(r) != OK || read_quantity(r, BW, NUM_BANDWIDTH, &c->bandwidth) != OK ||
      read_quantity(r, LAT, NUM_TIME, &c->latency) != OK ||
      read_quantity(r, LOOPBACK_BW, NUM_BANDWIDTH, &c->loopback_bandwidth) != OK ||
      read_quantity(r, LOOPBACK_LAT, NUM_TIME, &c->loopback_latency) != OK ||
      read_quantity(r, LIMITER_LINK, NUM_BANDWIDTH, &c->limiter) != OK ||
      read_quantity(r, BB_BW, NUM_BANDWIDTH, &r->backbone.bandwidth_Bps) != OK ||
      read_quantity(r, BB_LAT, NUM_TIME, &r->backbone.latency_s) != OK)
    return FAIL;
  if (r->value[LOOPBACK_BW][0] == '\0' && c->loopback_latency > 0)
    return fail_at(r, LOOPBACK_LAT, "without loopback_bw");
  if (r->value[BB_BW][0] == '\0' && r->backbone.latency_s > 0)
    return fail_at(r, BB_LAT, "without bb_bw");
  return OK;
}

/* Finds a value among @p choices, the values in SimGrid's DTD.  *chosen is its index, or the number
 * of choices if the attribute is absent. */
static enum status read_choice(const struct reading *c, int attribute, const char *const *choices,
                               size_t *chosen)
{
  for (*chosen = 0; choices[*chosen] != NULL; ++*chosen)
    if (strcmp(c->value[attribute], choices[*chosen]) == 0)
      return OK;
  if (platform_xml_attribute(c->node, NAMES[attribute]) == NULL)
    return OK;
  return platform_xml_fail(c->e, c->path, c->node, "%s: SimGrid knows no policy '%.40s'",
                           NAMES[attribute], c->value[attribute]);
}

static enum status read_policies(struct reading *c)
{
  static const char *const sharing[] = {"SHARED", "FATPIPE", "SPLITDUPLEX", "FULLDUPLEX", NULL};
  static const char *const backbone[] = {"SHARED", "FATPIPE", NULL};
  size_t chosen, chosen_backbone;
  if (read_choice(c, SHARING_POLICY, sharing, &chosen) != OK ||
      read_choice(c, BB_SHARING_POLICY, backbone, &chosen_backbone) != OK)
    return FAIL;
  c->c->split = chosen >= 2; /* SimGrid treats FATPIPE like SHARED here */
  c->backbone.fat = chosen_backbone == 1;
  return OK;
}

static enum status read_core(struct reading *c)
{
  uint64_t cores = 1;
  c->c->cores = 1;
  if (platform_xml_attribute(c->node, NAMES[CORE]) == NULL)
    return OK;
  if (num_u64(c->value[CORE], INT_MAX, &cores, c->e) != OK)
    return fail_at(c, CORE, c->e->text);
  if (cores == 0)
    return fail_at(c, CORE, "0 cores");
  c->c->cores = (uint32_t)cores;
  return OK;
}

/* Takes "0-3", or "5" with *first equal to *last. */
static enum status read_range(const struct reading *c, const char **text, uint64_t *first,
                              uint64_t *last)
{
  const char *const begin = *text;
  if (!radical_range(text, first, last))
    return platform_xml_fail(c->e, c->path, c->node, "%s: expected a number at '%.40s'",
                             NAMES[RADICAL], *text);
  const uint64_t most = *last > *first ? *last : *first;
  if (most > INT_MAX)
    return platform_xml_fail(c->e, c->path, c->node, "%s: '%.*s' has a number above %d",
                             NAMES[RADICAL], (int)(*text - begin < 40 ? *text - begin : 40), begin,
                             INT_MAX);
  return *last < *first ? fail_at(c, RADICAL, "a range that ends before it begins") : OK;
}

static enum status add_range(struct reading *r, size_t *room, uint64_t first, uint64_t last)
{
  struct cluster *c = r->c;
  if (last - first >= TOPOLOGY_MAX_HOSTS - r->hosts)
    return fail_at(r, RADICAL, "more than 2^26 hosts");
  if (MEM_GROW(c->range, *room, (size_t)c->ranges + 1, r->e) != OK)
    return FAIL;
  c->range[c->ranges++] = (struct cluster_range){(uint32_t)first, (uint32_t)last, r->hosts};
  r->hosts += (uint32_t)(last - first + 1);
  return OK;
}

static int by_first(const void *a, const void *b)
{
  const struct cluster_range *x = a, *y = b;
  return RISING(x->first, y->first);
}

/* Fails if two ranges overlap, because two hosts would have the same name. */
static enum status check_distinct(const struct reading *r)
{
  const size_t n = r->c->ranges;
  OWNED struct cluster_range *sorted = mem_array(n, sizeof *sorted, r->e);
  if (sorted == NULL)
    return FAIL;
  memcpy(sorted, r->c->range, n * sizeof *sorted);
  qsort(sorted, n, sizeof *sorted, by_first);
  for (size_t i = 1; i < n; i++)
    if (sorted[i].first <= sorted[i - 1].last)
      return platform_xml_fail(r->e, r->path, r->node, "%s: %" PRIu32 " is in two ranges",
                               NAMES[RADICAL], sorted[i].first);
  return OK;
}

/* Parses the numbers in host names, such as "0-3,7". */
static enum status read_radical(struct reading *r)
{
  struct cluster *c = r->c;
  size_t room = 0;
  for (const char *text = r->value[RADICAL];; text++) {
    uint64_t first, last;
    if (read_range(r, &text, &first, &last) != OK || add_range(r, &room, first, last) != OK)
      return FAIL;
    if (*text == '\0')
      break;
    if (*text != ',')
      return fail_at(r, RADICAL, "expected numbers and ranges with commas between them");
  }
  if (c->ranges > 1 || c->range[0].first > 0)
    return check_distinct(r);
  free(c->range); /* host h has number h */
  c->range = NULL;
  c->ranges = 0;
  return OK;
}

/* Copies a name.  False if it is too long, or contains characters other than graphic ASCII, which
 * SimGrid and an XML parser may read differently. */
static bool copy_name(char *out, const char *name)
{
  for (const char *p = name; *p != '\0'; p++)
    if (*p <= ' ' || *p > '~')
      return false;
  if (strlen(name) > CLUSTER_PART_MAX)
    return false;
  snprintf(out, CLUSTER_PART_MAX + 1, "%s", name);
  return true;
}

static enum status read_props(const struct reading *c, const char **spec, uint64_t *line)
{
  static const char *const known[] = {"id", "value", NULL};
  *spec = NULL;
  for (const xmlNode *n = c->node->children; n != NULL; n = n->next) {
    if (n->type != XML_ELEMENT_NODE)
      continue;
    if (platform_xml_check(n, known, 2, c->path, c->e) != OK ||
        platform_xml_inbound(n, &c->c->no_inbound, c->path, c->e) != OK)
      return FAIL;
    if (*spec != NULL || strcmp(platform_xml_attribute(n, "id"), PLATFORM_PROP) != 0)
      continue;
    *spec = platform_xml_attribute(n, "value");
    *line = (uint64_t)xmlGetLineNo(n);
  }
  return OK;
}

/* Uses the topology named by the property.  Fails if topo_parameters does not match it; a mesh or
 * hypercube is written as the torus that carries it. */
static enum status named_topology(struct reading *r, const char *spec, uint64_t line)
{
  struct textout m;
  struct topology *t;
  if (topology_new(&t, spec, r->e) != OK)
    return err_place(r->e, r->path, line);
  OWNED char *parameters = NULL;
  if (t->kind->print_simgrid != NULL && textout_begin(&m, r->e) == OK) {
    t->kind->print_simgrid(t, m.f);
    parameters = textout_end(&m, OK, r->e);
  }
  const bool carries = parameters != NULL && strcmp(parameters, r->value[TOPO_PARAMETERS]) == 0;
  if (!carries) {
    err_at(r->e, r->path, line,
           "property %s says %s, which topo_parameters '%.80s' do not describe", PLATFORM_PROP,
           topology_spec(t), r->value[TOPO_PARAMETERS]);
    topology_free(t);
    return FAIL;
  }
  r->c->topology = t;
  return OK;
}

static const struct topology_kind *kind_of(const char *simgrid)
{
  const struct topology_kind *kind;
  for (size_t i = 0; (kind = registry_at(&topologies, i)) != NULL; i++)
    if (kind->parse_simgrid != NULL && strcmp(kind->simgrid, simgrid) == 0)
      return kind;
  return NULL;
}

static enum status simgrid_topology(struct reading *r, const struct network *n)
{
  const char *name = r->value[TOPOLOGY];
  const struct topology_kind *kind = kind_of(name);
  if (*name == '\0' || strcmp(name, "FLAT") == 0)
    return topology_star_new(&r->c->topology, r->hosts, &r->backbone, r->e);
  if (kind == NULL)
    return fail_at(r, TOPOLOGY, "SimGrid knows FLAT, TORUS, FAT_TREE and DRAGONFLY");
  const struct topology_counters *before =
      strcmp(name, "FAT_TREE") == 0 ? &n->fat_trees : &n->dragonflies;
  return kind->parse_simgrid(&r->c->topology, r->value[TOPO_PARAMETERS], r->hosts, before, r->e) ==
                 OK
             ? OK
             : fail_at(r, TOPO_PARAMETERS, r->e->text);
}

/* Compares the number of hosts in the radical with the topology.  A mesh counts all hosts of the
 * torus that carries it. */
static enum status check_hosts(const struct reading *r)
{
  const uint32_t hosts = grid_carrier_hosts(r->c->topology);
  if (hosts == r->hosts)
    return OK;
  return platform_xml_fail(r->e, r->path, r->node,
                           "radical '%.40s' counts %" PRIu32
                           " hosts, topo_parameters '%.80s' makes %" PRIu32,
                           r->value[RADICAL], r->hosts, r->value[TOPO_PARAMETERS], hosts);
}

static enum status read_topology(struct reading *r, const struct network *n)
{
  const char *spec;
  uint64_t line;
  if (read_props(r, &spec, &line) != OK ||
      (spec == NULL ? simgrid_topology(r, n) : named_topology(r, spec, line)) != OK)
    return FAIL;
  return check_hosts(r);
}

/* Requires a loopback on grids: without it SimGrid has no route from a host to itself and stops.
 * On other topologies such a message goes to a switch and back. */
static enum status check_loopback(const struct reading *r)
{
  if (r->c->loopback_bandwidth > 0 || !topology_is_grid(r->c->topology))
    return OK;
  return fail_at(r, LOOPBACK_BW,
                 "missing; without it SimGrid stops at a message from a rank to itself");
}

/* SimGrid numbers the limiters of hosts upwards from 0, and the limiters of switches in a fat tree
 * downwards from twice the hosts.  With more switches than hosts the numbers overlap. */
static enum status check_limiters(const struct reading *r)
{
  const struct topology *t = r->c->topology;
  return r->c->limiter <= 0 || t->switches <= t->hosts
             ? OK
             : fail_at(r, LIMITER_LINK,
                       "more switches than hosts: SimGrid declares a limiter twice");
}

/* Sets the name of the router, which only stars have.  The default is derived from the id of the
 * cluster. */
static bool name_router(struct reading *r)
{
  struct cluster *c = r->c;
  if (!topology_is_star(c->topology))
    return true;
  if (r->value[ROUTER_ID][0] == '\0')
    snprintf(c->router, sizeof c->router, "%s%s_router%s", c->prefix, c->id, c->suffix);
  return r->value[ROUTER_ID][0] == '\0' || copy_name(c->router, r->value[ROUTER_ID]);
}

static enum status fill(struct reading *r, const struct network *n)
{
  struct cluster *c = r->c;
  if (read_quantities(r) != OK || read_policies(r) != OK || read_core(r) != OK ||
      read_radical(r) != OK || read_topology(r, n) != OK || check_loopback(r) != OK ||
      check_limiters(r) != OK)
    return FAIL;
  const bool carried = topology_is_grid(c->topology) && grid_kind(c->topology) == GRID_MESH;
  r->opaque = (carried && c->range != NULL) || r->value[ID][0] == '\0' ||
              !copy_name(c->id, r->value[ID]) || !copy_name(c->prefix, r->value[PREFIX]) ||
              !copy_name(c->suffix, r->value[SUFFIX]) || !name_router(r);
  return OK;
}

enum status platform_cluster_read(struct cluster **out, const char *path, const xmlNode *node,
                                  const struct network *n, bool *opaque, struct err *e)
{
  struct reading r = {.path = path, .node = node, .e = e};
  *out = NULL;
  if (platform_xml_check(node, NAMES, REQUIRED, path, e) != OK ||
      (r.c = mem_array(1, sizeof *r.c, e)) == NULL)
    return FAIL;
  for (int i = 0; i < ATTRIBUTES; i++)
    r.value[i] = platform_xml_value(node, NAMES[i]);
  const enum status s = fill(&r, n);
  if (s == OK && !r.opaque) {
    *out = r.c;
    return OK;
  }
  *opaque = *opaque || r.opaque;
  cluster_clear(r.c);
  free(r.c);
  return s;
}

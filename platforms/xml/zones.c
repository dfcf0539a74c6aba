/* Reads nested zones into the network. */
#include <stdlib.h>
#include <strings.h>

#include "common/mem.h"
#include "platforms/xml/elements.h"

static enum status add_trace(struct zone_reader *r, xmlNode *node)
{
  if (MEM_GROW(r->traces, r->room, r->count + 1, r->e) != OK)
    return FAIL;
  r->traces[r->count++] = node;
  return OK;
}

static enum status read_cluster(struct zone_reader *r, const xmlNode *node)
{
  struct cluster *c;
  if (element_refuse_costs(r, node) != OK ||
      platform_cluster_read(&c, r->p->name, node, r->n, &r->opaque, r->e) != OK)
    return FAIL;
  if (c == NULL || network_add_cluster(r->n, c, r->e) == OK)
    return OK;
  cluster_clear(c);
  free(c);
  return element_fail(r, node);
}

static bool find_routing(const char *text, enum zone_routing *out)
{
  static const struct {
    const char *name;
    enum zone_routing routing;
  } ROWS[] = {{"Full", ROUTING_FULL},
              {"None", ROUTING_NONE},
              {"Floyd", ROUTING_FLOYD},
              {"Dijkstra", ROUTING_DIJKSTRA},
              {"DijkstraCache", ROUTING_DIJKSTRA},
              {"Cluster", ROUTING_STAR},
              {"Vivaldi", ROUTING_VIVALDI}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
    if (strcasecmp(text, ROWS[i].name) == 0) {
      *out = ROWS[i].routing;
      return true;
    }
  return false;
}

static enum status read_zone(struct zone_reader *r, xmlNode *node);

/* The parts of a zone in the order required by SimGrid: properties, contents, routes. */
enum part { PART_PROPERTY, PART_CONTENT, PART_ROUTE, PART_ANY, PART_UNKNOWN };

static enum part part_of(const xmlNode *node)
{
  static const struct {
    const char *name;
    enum part part;
  } ROWS[] = {
      {"prop", PART_PROPERTY},      {"trace", PART_ANY},         {"trace_connect", PART_ANY},
      {"host", PART_CONTENT},       {"router", PART_CONTENT},    {"link", PART_CONTENT},
      {"backbone", PART_CONTENT},   {"host_link", PART_CONTENT}, {"cabinet", PART_CONTENT},
      {"cluster", PART_CONTENT},    {"peer", PART_CONTENT},      {"zone", PART_CONTENT},
      {"AS", PART_CONTENT},         {"route", PART_ROUTE},       {"zoneRoute", PART_ROUTE},
      {"ASroute", PART_ROUTE},      {"bypassRoute", PART_ROUTE}, {"bypassZoneRoute", PART_ROUTE},
      {"bypassASroute", PART_ROUTE}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
    if (element_is(node, ROWS[i].name))
      return ROWS[i].part;
  return PART_UNKNOWN;
}

static enum status keep_late(struct zone_reader *r, struct zone_late *l, const xmlNode *node)
{
  if (r->n->zone[r->n->current].routing != ROUTING_STAR) {
    r->opaque = true;
    return OK;
  }
  if (element_is(node, "backbone")) {
    l->backbone = node;
    return OK;
  }
  if (MEM_GROW(l->node, l->room, l->count + 1, r->e) != OK)
    return FAIL;
  l->node[l->count++] = node;
  return OK;
}

static enum status read_element(struct zone_reader *r, xmlNode *node, struct zone_late *l)
{
  static const struct {
    const char *name;
    bool zones, bypass;
  } ROUTES[] = {{"route", false, false},         {"zoneRoute", true, false},
                {"ASroute", true, false},        {"bypassRoute", false, true},
                {"bypassZoneRoute", true, true}, {"bypassASroute", true, true}};
  for (size_t i = 0; i < sizeof ROUTES / sizeof *ROUTES; i++)
    if (element_is(node, ROUTES[i].name))
      return element_route(r, node, ROUTES[i].zones, ROUTES[i].bypass);
  if (element_is(node, "trace") || element_is(node, "trace_connect"))
    return add_trace(r, node);
  if (element_is(node, "zone") || element_is(node, "AS"))
    return read_zone(r, node);
  if (element_is(node, "cluster"))
    return read_cluster(r, node);
  if (element_is(node, "host"))
    return element_host(r, node);
  if (element_is(node, "router"))
    return element_router(r, node);
  if (element_is(node, "link"))
    return element_link(r, node);
  if (element_is(node, "peer") && r->n->zone[r->n->current].routing == ROUTING_VIVALDI)
    return element_peer(r, node);
  if (element_is(node, "prop"))
    return element_prop(r, node);
  return keep_late(r, l, node);
}

/* True for elements of hosts and routers.  SimGrid's parser treats a trace before the first of
 * these elements as the end of the zone. */
static bool is_of_hosts(const xmlNode *node)
{
  return element_is(node, "host") || element_is(node, "router") || element_is(node, "cabinet") ||
         element_is(node, "host_link");
}

static enum status read_children(struct zone_reader *r, xmlNode *node, struct zone_late *l)
{
  enum part reached = PART_PROPERTY;
  bool hosts = false, ended = false;
  for (xmlNode *c = node->children; c != NULL && !r->opaque; c = c->next) {
    const enum part part = part_of(c);
    if (element_is_blank(c))
      continue;
    hosts = hosts || is_of_hosts(c);
    ended = ended || (part == PART_ANY && !hosts);
    if (part == PART_UNKNOWN || (part != PART_ANY && (part < reached || ended))) {
      r->opaque = true;
      return OK;
    }
    reached = part == PART_ANY ? reached : part;
    if (read_element(r, c, l) != OK)
      return FAIL;
  }
  return r->opaque ? OK : element_late(r, l);
}

static enum status read_zone(struct zone_reader *r, xmlNode *node)
{
  static const char *const known[] = {"id", "routing", NULL};
  enum zone_routing routing;
  struct zone_late l = {0};
  if (element_check(r, node, known, 2) != OK)
    return FAIL;
  if (!find_routing(platform_xml_value(node, "routing"), &routing)) {
    r->opaque = true;
    return OK;
  }
  if (network_zone_begin(r->n, platform_xml_value(node, "id"), routing, r->e) != OK)
    return element_fail(r, node);
  const enum status s = read_children(r, node, &l);
  free(l.node);
  network_zone_end(r->n);
  return s;
}

enum status platform_zones_read(struct platform *p, const xmlNode *root, xmlNode ***traces,
                                size_t *count, bool *opaque, struct err *e)
{
  struct zone_reader r = {.p = p, .n = &p->n, .opaque = root->nsDef != NULL, .e = e};
  enum status s = OK;
  for (xmlNode *c = root->children; c != NULL && s == OK && !r.opaque; c = c->next) {
    if (element_is_blank(c) || element_is(c, "config"))
      continue;
    const bool trace = element_is(c, "trace") || element_is(c, "trace_connect");
    const bool cluster = element_is(c, "cluster");
    if (trace)
      s = add_trace(&r, c);
    else if (r.n->zones > 0 || (!cluster && !element_is(c, "zone") && !element_is(c, "AS")))
      r.opaque = true;
    else
      s = cluster ? read_cluster(&r, c) : read_zone(&r, c);
  }
  *traces = r.traces;
  *count = r.count;
  *opaque = r.opaque || p->n.zones == 0;
  return s;
}

/* Hosts, links and routes. */
#include "platforms/xml/elements.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "common/mem.h"

static const char *name_of(const xmlNode *node)
{
  return (const char *)node->name;
}

bool element_is(const xmlNode *node, const char *name)
{
  return node->type == XML_ELEMENT_NODE && strcmp(name_of(node), name) == 0;
}

bool element_is_blank(const xmlNode *node)
{
  return node->type == XML_COMMENT_NODE || node->type == XML_PI_NODE || xmlIsBlankNode(node);
}

enum status element_fail(const struct zone_reader *r, const xmlNode *node)
{
  return err_place(r->e, r->p->name, (uint64_t)xmlGetLineNo(node));
}

enum status element_check(struct zone_reader *r, const xmlNode *node, const char *const *known,
                          size_t required)
{
  return platform_xml_check(node, known, required, r->p->name, r->e);
}

enum status element_quantity(struct zone_reader *r, const xmlNode *node, const char *name,
                             enum num_unit unit, double *out)
{
  const char *text = platform_xml_attribute(node, name);
  if (text == NULL || num_quantity_bare(text, unit, out, r->e) == OK)
    return OK;
  return platform_xml_fail(r->e, r->p->name, node, "%s: %s", name, r->e->text);
}

/* --- hosts and links -------------------------------------------------------------------------- */

/* Parses "X Y Z". */
static bool read_coordinates(struct point *p, const char *text)
{
  struct err ignored;
  char copy[128], *rest = copy;
  size_t n = 0;
  if (strlen(text) >= sizeof copy)
    return false;
  snprintf(copy, sizeof copy, "%s", text);
  for (char *word; n < 3 && (word = strsep(&rest, " ")) != NULL; n++)
    if (num_double(word, -1e300, 1e300, &p->coordinate[n], &ignored) != OK)
      return false;
  p->located = n == 3 && rest == NULL;
  return p->located;
}

static void locate(struct zone_reader *r, struct point *p, const xmlNode *node)
{
  const char *text = platform_xml_value(node, "coordinates");
  if (*text != '\0' && !read_coordinates(p, text))
    r->opaque = true;
}

/* A tab or the end of a line in a name would break the tables. */
static enum status check_name(const struct zone_reader *r, const xmlNode *node)
{
  for (const char *c = platform_xml_value(node, "id"); *c != '\0'; c++)
    if ((unsigned char)*c < ' ' || *c == 127)
      return err_set(r->e, "a control character in a name");
  return OK;
}

enum status element_add_point(struct zone_reader *r, const xmlNode *node, enum point_kind kind,
                              struct point **out)
{
  if (check_name(r, node) != OK ||
      network_add_point(r->n, platform_xml_value(node, "id"), kind, out, r->e) != OK)
    return element_fail(r, node);
  locate(r, *out, node);
  return OK;
}

enum status element_speed(struct zone_reader *r, const xmlNode *node, const char *pstate,
                          double *speed)
{
  char copy[256], *rest = copy;
  double number = 0;
  const char *text = platform_xml_value(node, "speed");
  if (strlen(text) >= sizeof copy ||
      (pstate != NULL && num_double(pstate, 0, 1000, &number, r->e) != OK)) {
    r->opaque = true;
    return OK;
  }
  snprintf(copy, sizeof copy, "%s", text);
  const char *word = strsep(&rest, ",");
  for (double i = 0; i + 1 <= number && word != NULL; i++)
    word = strsep(&rest, ",");
  if (word == NULL) {
    r->opaque = true;
    return OK;
  }
  while (*word == ' ')
    word++;
  if (num_quantity_bare(word, NUM_SPEED, speed, r->e) == OK)
    return OK;
  return platform_xml_fail(r->e, r->p->name, node, "speed: %s", r->e->text);
}

/* True if all children are properties or elements @p name, which have no effect here. */
static bool holds_only(const xmlNode *node, const char *name)
{
  for (const xmlNode *c = node->children; c != NULL; c = c->next)
    if (!element_is_blank(c) && !element_is(c, "prop") && !element_is(c, name))
      return false;
  return true;
}

static enum status read_range(struct zone_reader *r, const xmlNode *node)
{
  if (r->p->calibrated.largest > 0)
    return platform_xml_fail(r->e, r->p->name, node, "property %s is set twice",
                             PLATFORM_CALIBRATED);
  if (calibrated_parse(&r->p->calibrated, platform_xml_value(node, "value"), r->e) == OK)
    return OK;
  return platform_xml_fail(r->e, r->p->name, node, "property %s: %s", PLATFORM_CALIBRATED,
                           r->e->text);
}

enum status element_prop(struct zone_reader *r, const xmlNode *node)
{
  static const char *const known[] = {"id", "value", NULL};
  if (element_check(r, node, known, 2) != OK)
    return FAIL;
  if (strcmp(platform_xml_value(node, "id"), PLATFORM_CALIBRATED) == 0)
    return read_range(r, node);
  if (strcmp(platform_xml_value(node, "id"), PLATFORM_NAMES) != 0)
    return platform_xml_inbound(node, &r->n->zone[r->n->current].no_inbound, r->p->name, r->e);
  free(r->p->naming);
  r->p->naming = mem_strdup(platform_xml_value(node, "value"), r->e);
  r->p->naming_line = (uint64_t)xmlGetLineNo(node);
  return r->p->naming == NULL ? FAIL : OK;
}

enum status element_refuse_costs(const struct zone_reader *r, const xmlNode *hosts)
{
  static const char *const costs[] = {"smpi/os", "smpi/ois", "smpi/or"};
  for (const xmlNode *c = hosts->children; c != NULL; c = c->next)
    for (size_t i = 0; element_is(c, "prop") && i < sizeof costs / sizeof *costs; i++)
      if (strcmp(platform_xml_value(c, "id"), costs[i]) == 0)
        return platform_xml_fail(r->e, r->p->name, c,
                                 "%s='%.40s' of a <%s>: haichi reads it in <config> only", costs[i],
                                 platform_xml_value(c, "value"), name_of(hosts));
  return OK;
}

enum status element_host(struct zone_reader *r, const xmlNode *node)
{
  static const char *const known[] = {"id",         "speed",       "core",   "speed_file",
                                      "state_file", "coordinates", "pstate", "availability_file",
                                      NULL};
  struct point *p;
  uint64_t cores = 1;
  if (element_check(r, node, known, 2) != OK || element_refuse_costs(r, node) != OK ||
      element_add_point(r, node, POINT_HOST, &p) != OK ||
      element_speed(r, node, platform_xml_attribute(node, "pstate"), &p->speed) != OK)
    return FAIL;
  const char *text = platform_xml_attribute(node, "core");
  if (text != NULL && (num_u64(text, INT_MAX, &cores, r->e) != OK || cores == 0))
    return platform_xml_fail(r->e, r->p->name, node, "core: %s",
                             cores == 0 ? "0 cores" : r->e->text);
  p->cores = (uint32_t)cores;
  r->opaque = r->opaque || !holds_only(node, "disk");
  return OK;
}

enum status element_router(struct zone_reader *r, const xmlNode *node)
{
  static const char *const known[] = {"id", "coordinates", NULL};
  struct point *p;
  return element_check(r, node, known, 1) == OK ? element_add_point(r, node, POINT_ROUTER, &p)
                                                : FAIL;
}

enum status element_add_link(struct zone_reader *r, const xmlNode *node,
                             const struct link_info *info, bool split)
{
  return check_name(r, node) == OK &&
                 network_add_link(r->n, platform_xml_value(node, "id"), info, split, r->e) == OK
             ? OK
             : element_fail(r, node);
}

enum status element_link(struct zone_reader *r, const xmlNode *node)
{
  static const char *const known[] = {
      "id",           "bandwidth", "latency", "state_file", "sharing_policy", "bandwidth_file",
      "latency_file", NULL};
  struct link_info info = {0};
  if (element_check(r, node, known, 2) != OK)
    return FAIL;
  const char *given = platform_xml_attribute(node, "sharing_policy");
  const char *policy = given == NULL ? "SHARED" : given;
  const bool split = strcmp(policy, "SPLITDUPLEX") == 0 || strcmp(policy, "FULLDUPLEX") == 0;
  info.fat = strcmp(policy, "FATPIPE") == 0;
  if ((!split && !info.fat && strcmp(policy, "SHARED") != 0) ||
      strchr(platform_xml_value(node, "bandwidth"), ',') != NULL || !holds_only(node, "prop")) {
    r->opaque = true; /* Wi-Fi, several bandwidths */
    return OK;
  }
  if (element_quantity(r, node, "bandwidth", NUM_BANDWIDTH, &info.bandwidth) != OK ||
      element_quantity(r, node, "latency", NUM_TIME, &info.latency) != OK)
    return FAIL;
  return element_add_link(r, node, &info, split);
}

/* --- routes ----------------------------------------------------------------------------------- */

enum status element_find_point(struct zone_reader *r, const xmlNode *node, const char *name,
                               uint32_t *out)
{
  const char *value = platform_xml_value(node, name);
  if (network_find_point(r->n, value, out))
    return OK;
  return platform_xml_fail(r->e, r->p->name, node,
                           "%s: no host, router or zone '%.80s' before this line", name, value);
}

/* True if @p point is inside the zone of @p zone, at any depth. */
static bool is_within(const struct network *n, uint32_t point, uint32_t zone)
{
  uint32_t id;
  const struct point *outer = network_point(n, zone);
  if (outer == NULL || outer->kind != POINT_ZONE)
    return false;
  for (uint32_t z = network_zone_of(n, point, &id); z != NETWORK_NONE; z = n->zone[z].parent)
    if (z == outer->inner)
      return true;
  return false;
}

/* True if the point stands for a zone. */
static bool is_zone(const struct network *n, uint32_t point)
{
  const struct point *p = network_point(n, point);
  return p != NULL && p->kind == POINT_ZONE;
}

static enum status read_links(struct zone_reader *r, const xmlNode *node)
{
  static const char *const known[] = {"id", "direction", NULL};
  for (const xmlNode *c = node->children; c != NULL; c = c->next) {
    if (element_is_blank(c))
      continue;
    if (!element_is(c, "link_ctn")) {
      r->opaque = true;
      return OK;
    }
    if (element_check(r, c, known, 1) != OK)
      return FAIL;
    const char *direction = platform_xml_value(c, "direction"), *id = platform_xml_value(c, "id");
    const enum way way = strcmp(direction, "UP") == 0     ? WAY_UP
                         : strcmp(direction, "DOWN") == 0 ? WAY_DOWN
                                                          : WAY_NONE;
    if (network_is_cluster_link(r->n, id)) {
      r->opaque = true;
      return OK;
    }
    if (network_route_link(r->n, id, way, r->e) != OK)
      return element_fail(r, c);
  }
  return OK;
}

/* Checks the end points of a declared route: hosts or routers of this zone, or inner zones with a
 * gateway inside each. */
static enum status check_ends(struct zone_reader *r, const xmlNode *node, const struct route *x,
                              bool zones)
{
  const struct network *n = r->n;
  const uint32_t end[2] = {x->src, x->dst};
  const char *why = NULL;
  uint32_t id;
  for (size_t i = 0; i < 2; i++)
    if (network_zone_of(n, end[i], &id) != n->current)
      why = "its ends are not both in this zone";
    else if (is_zone(n, end[i]) != zones)
      why = zones ? "its ends are not both zones" : "it leads to or from a zone";
    else if (zones && (is_zone(n, x->gateway[i]) || !is_within(n, x->gateway[i], end[i])))
      why = "a gateway is not a host or router of its zone";
  if (why == NULL && !zones && n->zone[n->current].recursive)
    why = "the zone contains other zones, so its routes must be zoneRoutes with gateways";
  return why == NULL ? OK
                     : platform_xml_fail(r->e, r->p->name, node, "<%s>: %s", name_of(node), why);
}

/* Checks the end points of a bypass route, which may be anywhere.  Between zones it needs gateways.
 */
static enum status check_bypass(struct zone_reader *r, const xmlNode *node, const struct route *x,
                                bool zones)
{
  const uint32_t end[2] = {x->src, x->dst};
  for (size_t i = 0; i < 2; i++)
    if (zones ? is_zone(r->n, x->gateway[i]) : is_zone(r->n, end[i]))
      return platform_xml_fail(r->e, r->p->name, node, "<%s>: %s", name_of(node),
                               zones ? "a gateway is a zone" : "it leads to or from a zone");
  return OK;
}

enum status element_route(struct zone_reader *r, const xmlNode *node, bool zones, bool bypass)
{
  static const char *const known[] = {"src", "dst", "gw_src", "gw_dst", "symmetrical", NULL};
  static const char *const plain[] = {"src", "dst", "symmetrical", NULL};
  struct route x = {.gateway = {NETWORK_NONE, NETWORK_NONE}};
  if (element_check(r, node, zones ? known : plain, zones ? 4 : 2) != OK ||
      element_find_point(r, node, "src", &x.src) != OK ||
      element_find_point(r, node, "dst", &x.dst) != OK ||
      (zones && (element_find_point(r, node, "gw_src", &x.gateway[0]) != OK ||
                 element_find_point(r, node, "gw_dst", &x.gateway[1]) != OK)) ||
      (bypass ? check_bypass : check_ends)(r, node, &x, zones) != OK || read_links(r, node) != OK)
    return FAIL;
  if (r->opaque)
    return OK;
  const char *symmetric = platform_xml_value(node, "symmetrical");
  const enum zone_routing routing = r->n->zone[r->n->current].routing;
  const bool back = strcasecmp(symmetric, "no") != 0;
  const bool graph = routing == ROUTING_FLOYD || routing == ROUTING_DIJKSTRA;
  if (!bypass && (routing == ROUTING_NONE || routing == ROUTING_VIVALDI ||
                  (routing == ROUTING_STAR && zones) || (graph && back && x.src == x.dst))) {
    r->opaque = true; /* SimGrid refuses it */
    return OK;
  }
  const enum route_use use = bypass ? ROUTE_BYPASS : back ? ROUTE_SYMMETRIC : ROUTE_PLAIN;
  return network_add_route(r->n, &x, use, r->e) == OK ? OK : element_fail(r, node);
}

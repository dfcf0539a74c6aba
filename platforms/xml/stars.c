/* Zones of routing Cluster and Vivaldi, which are stars. */
#include <limits.h>
#include <stdio.h>

#include "common/mem.h"
#include "platforms/xml/elements.h"
#include "platforms/xml/radical.h"

/* Declares the routes of a point to the centre (link up, backbone) and back (backbone, link down).
 */
static enum status add_spoke(struct zone_reader *r, const xmlNode *node, const struct zone_late *l,
                             uint32_t point, const char *up, const char *down)
{
  const char *backbone = l->backbone == NULL ? NULL : platform_xml_value(l->backbone, "id");
  if (network_route_link(r->n, up, WAY_NONE, r->e) != OK ||
      (backbone != NULL && (network_route_link(r->n, backbone, WAY_NONE, r->e) != OK ||
                            network_route_link(r->n, backbone, WAY_NONE, r->e) != OK)) ||
      network_route_link(r->n, down, WAY_NONE, r->e) != OK ||
      network_add_spoke(r->n, point, backbone == NULL ? 1 : 2, r->e) != OK)
    return element_fail(r, node);
  return OK;
}

static enum status read_host_link(struct zone_reader *r, const xmlNode *node,
                                  const struct zone_late *l)
{
  static const char *const known[] = {"id", "up", "down", NULL};
  uint32_t point, id;
  if (element_check(r, node, known, 3) != OK || element_find_point(r, node, "id", &point) != OK)
    return FAIL;
  const struct point *p = network_point(r->n, point);
  if (network_zone_of(r->n, point, &id) != r->n->current || p == NULL || p->kind != POINT_HOST) {
    r->opaque = true;
    return OK;
  }
  return add_spoke(r, node, l, point, platform_xml_value(node, "up"),
                   platform_xml_value(node, "down"));
}

static enum status add_cabinet_host(struct zone_reader *r, const xmlNode *node,
                                    const struct zone_late *l, uint32_t number, double speed,
                                    const struct link_info *info)
{
  OWNED char *host = NULL;
  OWNED char *link = NULL;
  OWNED char *up = NULL;
  OWNED char *down = NULL;
  struct point *p;
  if ((host = mem_printf(r->e, "%s%u%s", platform_xml_value(node, "prefix"), number,
                         platform_xml_value(node, "suffix"))) == NULL ||
      (link = mem_printf(r->e, "link_%s", host)) == NULL ||
      (up = mem_printf(r->e, "%s_UP", link)) == NULL ||
      (down = mem_printf(r->e, "%s_DOWN", link)) == NULL ||
      network_add_point(r->n, host, POINT_HOST, &p, r->e) != OK ||
      network_add_link(r->n, link, info, true, r->e) != OK)
    return element_fail(r, node);
  p->speed = speed;
  p->cores = 1;
  return add_spoke(r, node, l, p->number, up, down);
}

/* Takes "0-3" or "5", and the comma after it. */
static bool next_range(const char **text, uint64_t *first, uint64_t *last)
{
  if (!radical_range(text, first, last) || *first >= INT_MAX || *last >= INT_MAX)
    return false;
  const bool good = **text == '\0' || (**text == ',' && (*text)[1] != '\0');
  *text += **text == ',';
  return good;
}

static enum status read_cabinet(struct zone_reader *r, const xmlNode *node,
                                const struct zone_late *l)
{
  static const char *const known[] = {"id",    "prefix", "suffix", "radical",
                                      "speed", "bw",     "lat",    NULL};
  struct link_info info = {0};
  double speed = 0;
  if (element_check(r, node, known, 7) != OK || element_speed(r, node, NULL, &speed) != OK ||
      element_quantity(r, node, "bw", NUM_BANDWIDTH, &info.bandwidth) != OK ||
      element_quantity(r, node, "lat", NUM_TIME, &info.latency) != OK)
    return FAIL;
  for (const char *text = platform_xml_value(node, "radical"); *text != '\0';) {
    uint64_t first, last;
    if (!next_range(&text, &first, &last)) {
      r->opaque = true; /* SimGrid reports the error */
      return OK;
    }
    for (uint64_t i = first; i <= last; i++)
      if (add_cabinet_host(r, node, l, (uint32_t)i, speed, &info) != OK)
        return FAIL;
  }
  return OK;
}

enum status element_late(struct zone_reader *r, const struct zone_late *l)
{
  static const char *const known[] = {"id", "bandwidth", "latency", NULL};
  const xmlNode *b = l->backbone;
  struct link_info info = {0};
  if (b != NULL && (element_check(r, b, known, 3) != OK ||
                    element_quantity(r, b, "bandwidth", NUM_BANDWIDTH, &info.bandwidth) != OK ||
                    element_quantity(r, b, "latency", NUM_TIME, &info.latency) != OK ||
                    element_add_link(r, b, &info, false) != OK))
    return FAIL;
  for (int cabinets = 0; cabinets < 2; cabinets++)
    for (size_t i = 0; i < l->count && !r->opaque; i++)
      if (element_is(l->node[i], "cabinet") == (cabinets == 1) &&
          (cabinets ? read_cabinet(r, l->node[i], l) : read_host_link(r, l->node[i], l)) != OK)
        return FAIL;
  return OK;
}

/* Reads a host of a Vivaldi zone with one link per direction. */
enum status element_peer(struct zone_reader *r, const xmlNode *node)
{
  static const char *const known[] = {"id",         "speed",      "bw_in",
                                      "bw_out",     "lat",        "coordinates",
                                      "speed_file", "state_file", "availability_file",
                                      NULL};
  static const struct zone_late none = {0};
  struct link_info in = {0}, out = {0};
  struct point *p;
  OWNED char *up = NULL;
  OWNED char *down = NULL;
  if (element_check(r, node, known, 4) != OK || element_add_point(r, node, POINT_HOST, &p) != OK ||
      element_speed(r, node, NULL, &p->speed) != OK ||
      element_quantity(r, node, "bw_in", NUM_BANDWIDTH, &in.bandwidth) != OK ||
      element_quantity(r, node, "bw_out", NUM_BANDWIDTH, &out.bandwidth) != OK)
    return FAIL;
  p->cores = 1;
  if ((up = mem_printf(r->e, "link_%s_UP", p->name)) == NULL ||
      (down = mem_printf(r->e, "link_%s_DOWN", p->name)) == NULL ||
      network_add_link(r->n, up, &out, false, r->e) != OK ||
      network_add_link(r->n, down, &in, false, r->e) != OK)
    return element_fail(r, node);
  return add_spoke(r, node, &none, p->number, up, down);
}

#include "platforms/network/finder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "platforms/network/paths.h"

/* Maximum depth of nested zones and of nested route searches. */
enum { DEEPEST = 512 };

struct finder {
  const struct network *n;
  uint32_t *link;
  size_t room;
  uint32_t links;
  uint32_t start; /* index in link[] where the local route under construction starts */
  double latency_s;
  struct paths paths;
  uint32_t depth;
  bool missing; /* no route exists */
  struct err *err;
};

enum status finder_new(struct finder **out, const struct network *n, struct err *e)
{
  *out = mem_array(1, sizeof **out, e);
  if (*out == NULL)
    return FAIL;
  (*out)->n = (*out)->paths.n = n;
  return OK;
}

void finder_free(struct finder *f)
{
  if (f == NULL)
    return;
  paths_clear(&f->paths);
  free(f->link);
  free(f);
}

/* --- declared routes -------------------------------------------------------------------------- */

/* Result of the search of a local route. */
struct local {
  bool found;
  uint32_t gateway[2]; /* NETWORK_NONE: none */
};

static enum status add_link(struct finder *f, uint32_t link)
{
  if (MEM_GROW(f->link, f->room, (size_t)f->links + 1, f->err) != OK)
    return FAIL;
  f->link[f->links++] = link;
  return OK;
}

static enum status no_route(struct finder *f)
{
  f->missing = true;
  return FAIL;
}

static enum status add_declared(struct finder *f, uint32_t link)
{
  f->latency_s += f->n->link[link].info.latency;
  return add_link(f, link);
}

/* Link number of entry @p i of a route, in the direction of the route. */
static uint32_t link_of(const struct finder *f, const struct route *r, uint32_t i)
{
  const uint32_t entry = f->n->pool[r->first + (r->reversed ? r->links - 1 - i : i)];
  const bool split = (entry & 2) != 0, down = (entry & 1) != 0;
  return entry / 4 + (split && down != r->reversed);
}

static enum status add_route(struct finder *f, const struct route *r)
{
  for (uint32_t i = 0; i < r->links; i++)
    if (add_declared(f, link_of(f, r, i)) != OK)
      return FAIL;
  return OK;
}

static const struct route *find_route(const struct finder *f, const struct zone *z, uint32_t src,
                                      uint32_t dst)
{
  const uint32_t pair = pairs_find(&z->pairs, src, dst);
  return pair == PAIRS_NONE ? NULL : &f->n->route[z->route[pair]];
}

/* True if @p src is @p dst and the zone gives this point the shared loopback: SimGrid adds one to
 * points without a loopback in zones that contain no other zones. */
static bool takes_loopback(const struct finder *f, const struct zone *z, uint32_t src, uint32_t dst)
{
  return src == dst && !z->recursive && f->n->loopback != NETWORK_NONE;
}

static enum status full_route(struct finder *f, const struct zone *z, uint32_t src, uint32_t dst,
                              struct local *out)
{
  const struct route *r = find_route(f, z, src, dst);
  if (r == NULL) {
    out->found = takes_loopback(f, z, src, dst);
    return out->found ? add_declared(f, f->n->loopback) : OK;
  }
  *out = (struct local){true, {r->gateway[0], r->gateway[1]}};
  return add_route(f, r);
}

/* --- shortest paths --------------------------------------------------------------------------- */

/* Lists the declared routes along the path from @p src to @p dst, starting with the last. */
static enum status list_path(struct finder *f, uint32_t zone, uint32_t src, uint32_t dst,
                             uint32_t **route, uint32_t *count)
{
  const struct zone *z = &f->n->zone[zone];
  size_t room = 0;
  *route = NULL;
  *count = 0;
  uint32_t at = dst;
  do {
    uint32_t from;
    if (paths_before(&f->paths, zone, src, at, &from, f->err) != OK)
      return FAIL;
    if (from == NETWORK_NONE || *count > z->nodes)
      return no_route(f);
    const struct route *r = find_route(f, z, z->node_point[from], z->node_point[at]);
    if (r == NULL)
      return no_route(f);
    if (MEM_GROW(*route, room, (size_t)*count + 1, f->err) != OK)
      return FAIL;
    (*route)[(*count)++] = (uint32_t)(r - f->n->route);
    at = from;
  } while (at != src);
  return OK;
}

static enum status global_route(struct finder *f, uint32_t src, uint32_t dst);

/* Appends the routes of a path in order.  If the gateways of two successive routes differ, inserts
 * the route between these gateways. */
static enum status add_path(struct finder *f, const uint32_t *path, uint32_t count)
{
  enum status s = OK;
  for (uint32_t i = count; s == OK && i-- > 0;) {
    const struct route *r = &f->n->route[path[i]];
    const uint32_t last = i + 1 < count ? f->n->route[path[i + 1]].gateway[1] : NETWORK_NONE;
    if (last != NETWORK_NONE && last != r->gateway[0])
      s = global_route(f, last, r->gateway[0]);
    if (s == OK)
      s = add_route(f, r);
  }
  return s;
}

/* Inserts a link at f->start. */
static enum status insert_link(struct finder *f, uint32_t link)
{
  if (add_declared(f, link) != OK)
    return FAIL;
  uint32_t *at = f->link + f->start;
  memmove(at + 1, at, (f->links - 1 - f->start) * sizeof *at);
  *at = link;
  return OK;
}

static enum status prepend_links(struct finder *f, const struct route *r)
{
  for (uint32_t i = 0; i < r->links; i++)
    if (insert_link(f, link_of(f, r, i)) != OK)
      return FAIL;
  return OK;
}

/* As in SimGrid's Dijkstra zones: from the last route to the first, inserts the links of each
 * route, one by one, in front of the links found so far.  Fails if the gateways of successive
 * routes differ. */
static enum status insert_path(struct finder *f, const uint32_t *path, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    const struct route *r = &f->n->route[path[i]];
    if (i > 0 && f->n->route[path[i - 1]].gateway[0] != r->gateway[1])
      return no_route(f);
    if (prepend_links(f, r) != OK)
      return FAIL;
  }
  return OK;
}

static enum status graph_route(struct finder *f, uint32_t zone, uint32_t src, uint32_t dst,
                               struct local *out)
{
  const struct zone *z = &f->n->zone[zone];
  const bool floyd = z->routing == ROUTING_FLOYD;
  const struct route *self = src == dst ? find_route(f, z, src, dst) : NULL;
  uint32_t *path, count, id[2];
  network_zone_of(f->n, src, &id[0]);
  network_zone_of(f->n, dst, &id[1]);
  if (z->node[id[0]] == 0 || z->node[id[1]] == 0)
    return OK;
  if (src == dst && self == NULL) {
    out->found = takes_loopback(f, z, src, dst);
    return !out->found ? OK : (floyd ? add_declared : insert_link)(f, f->n->loopback);
  }
  if (src == dst && !floyd) {
    out->found = true;
    return prepend_links(f, self);
  }
  enum status s = list_path(f, zone, z->node[id[0]] - 1, z->node[id[1]] - 1, &path, &count);
  if (s == OK) {
    out->found = true;
    out->gateway[0] = f->n->route[path[count - 1]].gateway[0];
    out->gateway[1] = f->n->route[path[0]].gateway[1];
    s = (floyd ? add_path : insert_path)(f, path, count);
  }
  free(path);
  return s;
}

/* --- stars ------------------------------------------------------------------------------------ */

/* Appends the links of a route of a spoke, except links that link[] already contains from @p first
 * on.  @p route is its number plus 1; 0: none. */
static enum status add_spoke(struct finder *f, uint32_t route, uint32_t first)
{
  const struct route *r = route == 0 ? NULL : &f->n->route[route - 1];
  for (uint32_t i = 0; r != NULL && i < r->links; i++) {
    const uint32_t link = link_of(f, r, i);
    bool there = false;
    for (uint32_t k = first; k < f->links && !there; k++)
      there = f->link[k] == link;
    if (!there && add_declared(f, link) != OK)
      return FAIL;
  }
  return OK;
}

static struct spoke spoke_of(const struct finder *f, const struct zone *z, uint32_t point)
{
  uint32_t id;
  network_zone_of(f->n, point, &id);
  return id < z->spokes ? z->spoke[id] : (struct spoke){0};
}

/* Distance of two points by their coordinates in ms, which SimGrid's VivaldiZone adds to the
 * latency. */
static double vivaldi_latency_s(const struct point *a, const struct point *b)
{
  const double x = a->coordinate[0] - b->coordinate[0], y = a->coordinate[1] - b->coordinate[1];
  return (sqrt(x * x + y * y) + fabs(a->coordinate[2]) + fabs(b->coordinate[2])) / 1000.0;
}

/* The gateway of a zone in a Vivaldi zone, found by its name "router_ZONE". */
static uint32_t vivaldi_gateway(const struct finder *f, uint32_t point)
{
  char name[512];
  uint32_t gateway;
  const struct point *p = network_point(f->n, point);
  snprintf(name, sizeof name, "router_%s", p->name);
  return network_find_point(f->n, name, &gateway) ? gateway : NETWORK_NONE;
}

static enum status star_route(struct finder *f, const struct zone *z, uint32_t src, uint32_t dst,
                              struct local *out)
{
  const struct spoke a = spoke_of(f, z, src), b = spoke_of(f, z, dst);
  const uint32_t first = f->links;
  const struct point *p = network_point(f->n, src), *q = network_point(f->n, dst);
  out->found = true;
  if (src == dst && a.loopback != 0)
    return add_spoke(f, a.loopback, first);
  if (add_spoke(f, a.up, first) != OK || add_spoke(f, b.down, first) != OK)
    return FAIL;
  if (z->routing != ROUTING_VIVALDI)
    return OK;
  if (!p->located || !q->located)
    return no_route(f); /* SimGrid stops here */
  f->latency_s += vivaldi_latency_s(p, q);
  if (p->kind == POINT_ZONE) {
    out->gateway[0] = vivaldi_gateway(f, src);
    out->gateway[1] = vivaldi_gateway(f, dst);
  }
  return OK;
}

/* --- clusters --------------------------------------------------------------------------------- */

static enum status cluster_part(struct finder *f, const struct zone *z, uint32_t src, uint32_t dst,
                                struct local *out)
{
  const struct cluster *c = z->cluster;
  if (MEM_GROW(f->link, f->room, f->links + topology_longest(c->topology), f->err) != OK)
    return FAIL;
  struct topology_path p = {.link = f->link + f->links, .limiters = c->limiter > 0};
  cluster_route(c, src - z->first_point, dst - z->first_point, &p, &f->latency_s);
  for (uint32_t i = 0; z->first_link > 0 && i < p.links; i++)
    p.link[i] += z->first_link;
  f->links += p.links;
  out->found = true;
  return OK;
}

/* --- zones in zones --------------------------------------------------------------------------- */

/* Corresponds to NetZone::get_local_route. */
static enum status local_route(struct finder *f, uint32_t zone, uint32_t src, uint32_t dst,
                               struct local *out)
{
  const struct zone *z = &f->n->zone[zone];
  *out = (struct local){false, {NETWORK_NONE, NETWORK_NONE}};
  switch (z->routing) {
  case ROUTING_FULL:
    return full_route(f, z, src, dst, out);
  case ROUTING_FLOYD:
  case ROUTING_DIJKSTRA:
    return graph_route(f, zone, src, dst, out);
  case ROUTING_STAR:
  case ROUTING_VIVALDI:
    return star_route(f, z, src, dst, out);
  case ROUTING_CLUSTER:
    return cluster_part(f, z, src, dst, out);
  default:
    return OK;
  }
}

/* The zones that contain a point, innermost first. */
struct ancestors {
  uint32_t zone[DEEPEST];
  uint32_t count;
};

static void list_ancestors(const struct finder *f, uint32_t point, struct ancestors *out)
{
  uint32_t id, zone = network_zone_of(f->n, point, &id);
  for (out->count = 0; zone != NETWORK_NONE && out->count < DEEPEST; zone = f->n->zone[zone].parent)
    out->zone[out->count++] = zone;
}

static const struct route *bypass(const struct finder *f, const struct zone *z, uint32_t src,
                                  uint32_t dst)
{
  const uint32_t pair = pairs_find(&z->bypasses, src, dst);
  return pair == PAIRS_NONE ? NULL : &f->n->route[z->bypass[pair]];
}

static uint32_t self_of(const struct finder *f, const struct ancestors *l, uint32_t i)
{
  return i < l->count ? f->n->zone[l->zone[i]].self : NETWORK_NONE;
}

/* The bypass route between the innermost zones that contain the two points:
 * NetZoneImpl::get_bypass_route. */
static const struct route *zone_bypass(const struct finder *f, const struct zone *z,
                                       const struct ancestors *a, const struct ancestors *b)
{
  const uint32_t most = a->count > b->count ? a->count : b->count;
  const struct route *r = NULL;
  for (uint32_t max = 0; max < most && r == NULL; max++) {
    for (uint32_t i = 0; i < max && r == NULL; i++)
      if ((r = bypass(f, z, self_of(f, a, i), self_of(f, b, max))) == NULL)
        r = bypass(f, z, self_of(f, a, max), self_of(f, b, i));
    if (r == NULL)
      r = bypass(f, z, self_of(f, a, max), self_of(f, b, max));
  }
  return r;
}

static enum status take_bypass(struct finder *f, const struct route *r, uint32_t src, uint32_t dst)
{
  if (src != r->src && global_route(f, src, r->gateway[0]) != OK)
    return FAIL;
  if (add_route(f, r) != OK)
    return FAIL;
  return dst == r->dst ? OK : global_route(f, r->gateway[1], dst);
}

/* The innermost zone that contains both points.  Removes outer zones from @p a and @p b.  The last
 * entry of each is then the child of the common zone that contains the point, or the common zone
 * itself if it contains the point directly. */
static uint32_t common_zone(struct ancestors *a, struct ancestors *b)
{
  uint32_t parent = a->zone[a->count - 1];
  while (a->count > 1 && b->count > 1 && a->zone[a->count - 1] == b->zone[b->count - 1]) {
    parent = a->zone[a->count - 1];
    a->count--;
    b->count--;
  }
  const bool nested = a->zone[a->count - 1] == b->zone[b->count - 1];
  return nested ? a->zone[a->count - 1] : parent;
}

/* Appends the route from @p src to the first gateway, the local route between the two zones, and
 * the route from the second gateway to @p dst.  Finds the local route first, since SimGrid adds its
 * latency first. */
static enum status join(struct finder *f, uint32_t zone, uint32_t inner_a, uint32_t inner_b,
                        uint32_t src, uint32_t dst)
{
  const uint32_t first = f->links, start = f->start;
  struct local middle;
  f->start = first;
  if (local_route(f, zone, f->n->zone[inner_a].self, f->n->zone[inner_b].self, &middle) != OK)
    return FAIL;
  f->start = start;
  if (!middle.found || middle.gateway[0] == NETWORK_NONE || middle.gateway[1] == NETWORK_NONE)
    return no_route(f);
  const uint32_t count = f->links - first;
  OWNED uint32_t *kept = mem_array(count, sizeof *kept, f->err);
  if (kept == NULL)
    return FAIL;
  memcpy(kept, f->link + first, count * sizeof *kept);
  f->links = first;
  enum status s = src == middle.gateway[0] ? OK : global_route(f, src, middle.gateway[0]);
  for (uint32_t i = 0; s == OK && i < count; i++)
    s = add_link(f, kept[i]);
  return s != OK || dst == middle.gateway[1] ? s : global_route(f, middle.gateway[1], dst);
}

/* Corresponds to NetZoneImpl::get_global_route. */
static enum status route_between(struct finder *f, uint32_t src, uint32_t dst)
{
  struct ancestors a, b;
  struct local local;
  uint32_t id;
  const uint32_t zone = network_zone_of(f->n, src, &id);
  if (zone == network_zone_of(f->n, dst, &id)) {
    const struct route *r = bypass(f, &f->n->zone[zone], src, dst);
    if (r != NULL)
      return add_route(f, r);
    if (local_route(f, zone, src, dst, &local) != OK)
      return FAIL;
    return local.found ? OK : no_route(f);
  }
  list_ancestors(f, src, &a);
  list_ancestors(f, dst, &b);
  const uint32_t common = common_zone(&a, &b);
  const struct route *r = zone_bypass(f, &f->n->zone[common], &a, &b);
  if (r != NULL)
    return take_bypass(f, r, src, dst);
  const uint32_t inner_a = a.zone[a.count - 1], inner_b = b.zone[b.count - 1];
  if (inner_a != inner_b)
    return join(f, common, inner_a, inner_b, src, dst);
  return no_route(f); /* nested zones: SimGrid reads no such file */
}

static enum status global_route(struct finder *f, uint32_t src, uint32_t dst)
{
  if (++f->depth > DEEPEST)
    return no_route(f); /* the gateways form a cycle */
  const enum status s = route_between(f, src, dst);
  f->depth--;
  return s;
}

enum status finder_find(struct finder *f, uint32_t src, uint32_t dst, const uint32_t **links,
                        uint32_t *count, double *latency_s, struct err *e)
{
  f->links = f->start = f->depth = 0;
  f->latency_s = 0;
  f->missing = false;
  f->err = e;
  const enum status s = global_route(f, src, dst);
  if (f->missing) {
    f->links = 0;
    f->latency_s = 0;
  } else if (s != OK) {
    return FAIL;
  }
  *links = f->link;
  *count = f->links;
  *latency_s = f->latency_s;
  return OK;
}

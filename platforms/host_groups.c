#include "platforms/host_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/containers/buckets.h"
#include "common/containers/pairs.h"
#include "common/mem.h"
#include "platforms/platform_internal.h"
#include "platforms/topology/kind.h"

void host_groups_clear(struct host_groups *g)
{
  free(g->of);
  free(g->first);
  free(g->member);
  *g = (struct host_groups){0};
}

enum status host_groups_list(struct host_groups *g, struct err *e)
{
  if ((g->first = mem_array((size_t)g->count + 2, sizeof *g->first, e)) == NULL ||
      (g->member = mem_array(g->hosts, sizeof *g->member, e)) == NULL)
    return FAIL;
  buckets_sort(g->of, g->hosts, g->count, g->first, g->member);
  return OK;
}

/* Makes *out from the groups that @p assign writes to `of` and `count`. */
static enum status make(struct host_groups *out, const struct platform *p,
                        enum status (*assign)(struct host_groups *, const struct platform *,
                                              struct err *),
                        struct err *e)
{
  struct host_groups made = {.hosts = platform_hosts(p)};
  if ((made.of = mem_array(made.hosts, sizeof *made.of, e)) != NULL && assign(&made, p, e) == OK &&
      host_groups_list(&made, e) == OK) {
    *out = made;
    return OK;
  }
  host_groups_clear(&made);
  return FAIL;
}

/* --- points with routes of their own ---------------------------------------------------------- */

static enum status keep_alone(struct pairs *alone, uint32_t point, struct err *e)
{
  uint32_t unused;
  return point == NETWORK_NONE ? OK : pairs_add(alone, point, 0, &unused, e);
}

/* Collects the points that form groups of their own: gateways, whose routes out of their zone are
 * shorter, and the end points of bypass routes, which no other points use. */
static enum status find_alone(struct pairs *alone, const struct network *n, struct err *e)
{
  enum status s = OK;
  for (uint32_t r = 0; r < n->routes && s == OK; r++) {
    s = keep_alone(alone, n->route[r].gateway[0], e);
    if (s == OK)
      s = keep_alone(alone, n->route[r].gateway[1], e);
  }
  for (uint32_t z = 0; z < n->zones && s == OK; z++)
    for (uint32_t b = 0; b < n->zone[z].bypasses.count && s == OK; b++) {
      const struct route *r = &n->route[n->zone[z].bypass[b]];
      s = keep_alone(alone, r->src, e) == OK ? keep_alone(alone, r->dst, e) : FAIL;
    }
  return s;
}

/* --- equal distances -------------------------------------------------------------------------- */

static uint32_t group_of(const struct topology *t, uint32_t id)
{
  return t->kind->group == NULL || id >= t->hosts ? id : t->kind->group(t, id);
}

/* Replaces groups of nodes by groups of cores: the cores of an innermost object are alike. */
static enum status split_by_objects(struct host_groups *g, const struct platform *p, struct err *e)
{
  const struct inside *in = platform_inside(p);
  struct pairs found = {0};
  enum status s = OK;
  if (in == NULL)
    return OK;
  for (uint32_t h = 0; h < g->hosts && s == OK; h++)
    s = pairs_add(&found, platform_node(p, h), in->level[in->levels - 1].object[h % in->cores],
                  &g->of[h], e);
  g->count = found.count;
  pairs_clear(&found);
  return s;
}

static enum status assign_alike(struct host_groups *g, const struct platform *p, struct err *e)
{
  struct pairs found = {0}, alone = {0};
  enum status s = find_alone(&alone, &p->n, e);
  for (uint32_t h = 0; h < g->hosts && s == OK; h++) {
    uint32_t id;
    const uint32_t point = platform_point_of_host(p, h);
    const uint32_t zone = network_zone_of(&p->n, point, &id);
    const struct cluster *c = p->n.zone[zone].cluster;
    if (pairs_find(&alone, point, 0) != PAIRS_NONE)
      s = pairs_add(&found, NETWORK_NONE, point, &g->of[h], e);
    else
      s = pairs_add(&found, zone, c == NULL ? id : group_of(c->topology, id), &g->of[h], e);
  }
  g->count = found.count;
  pairs_clear(&found);
  pairs_clear(&alone);
  return s == OK ? split_by_objects(g, p, e) : FAIL;
}

enum status host_groups_alike(struct host_groups *out, const struct platform *p, struct err *e)
{
  return make(out, p, assign_alike, e);
}

bool host_groups_own_cables(const struct platform *p)
{
  const struct zone *last = NULL;
  if (platform_is_opaque(p))
    return false;
  for (uint32_t i = 0; i < p->n.zones; i++)
    if (p->n.zone[i].bypasses.count > 0)
      return false;
  for (uint32_t h = 0; h < platform_hosts(p); h++) {
    const struct zone *z = &p->n.zone[platform_zone_of_host(p, h)];
    const struct topology *t = z->cluster == NULL ? NULL : z->cluster->topology;
    if (z == last)
      continue;
    if (t == NULL || t->kind->own_cables == NULL || !t->kind->own_cables(t))
      return false;
    last = z;
  }
  return true;
}

/* --- equal bandwidths ------------------------------------------------------------------------- */

/* State of the classification.  Each set of pairs numbers its keys. */
struct classing {
  const struct network *n;
  struct pairs alone; /* points that are a class of their own */
  struct pairs value; /* different bandwidths, as the two halves of their bits */
  struct pairs star;  /* (zone, number in `value` of the bandwidth to its centre); for clusters
                         (zone, bandwidth class of a host) */
  struct pairs class; /* (ALONE, point), (CLUSTER, zone), or (STARS + number in `star`, number in
                         `value` of the bandwidth from the centre, 0 for clusters) */
};

enum { ALONE, CLUSTER, STARS };

/* The lowest bandwidth of the links of a route.  @p route is the number of a declared route plus 1;
 * INFINITY if it is 0, no route. */
static double least(const struct network *n, uint32_t route)
{
  double bandwidth = INFINITY;
  for (uint32_t i = 0; route > 0 && i < n->route[route - 1].links; i++)
    bandwidth = fmin(bandwidth, n->link[n->pool[n->route[route - 1].first + i] / 4].info.bandwidth);
  return bandwidth;
}

static enum status number_bandwidth(struct classing *c, double bandwidth, uint32_t *out,
                                    struct err *e)
{
  uint64_t bits;
  memcpy(&bits, &bandwidth, sizeof bits);
  return pairs_add(&c->value, (uint32_t)(bits >> 32), (uint32_t)bits, out, e);
}

static enum status class_star(struct classing *c, uint32_t zone, uint32_t id, uint32_t *out,
                              struct err *e)
{
  const struct zone *z = &c->n->zone[zone];
  const struct spoke spoke = id < z->spokes ? z->spoke[id] : (struct spoke){0};
  uint32_t up, down, star;
  if (number_bandwidth(c, least(c->n, spoke.up), &up, e) != OK ||
      number_bandwidth(c, least(c->n, spoke.down), &down, e) != OK ||
      pairs_add(&c->star, zone, up, &star, e) != OK)
    return FAIL;
  return pairs_add(&c->class, STARS + star, down, out, e);
}

static enum status class_cluster(struct classing *c, uint32_t zone, uint32_t id, uint32_t *out,
                                 struct err *e)
{
  const struct topology *t = c->n->zone[zone].cluster->topology;
  uint32_t number;
  if (t->kind->bandwidth_class == NULL)
    return pairs_add(&c->class, CLUSTER, zone, out, e);
  return pairs_add(&c->star, zone, t->kind->bandwidth_class(t, id), &number, e) == OK
             ? pairs_add(&c->class, STARS + number, 0, out, e)
             : FAIL;
}

static enum status class_host(struct classing *c, uint32_t point, uint32_t *out, struct err *e)
{
  uint32_t id;
  const uint32_t zone = network_zone_of(c->n, point, &id);
  const enum zone_routing routing = c->n->zone[zone].routing;
  if (pairs_find(&c->alone, point, 0) == PAIRS_NONE) {
    if (routing == ROUTING_CLUSTER)
      return class_cluster(c, zone, id, out, e);
    if (routing == ROUTING_STAR || routing == ROUTING_VIVALDI)
      return class_star(c, zone, id, out, e);
  }
  return pairs_add(&c->class, ALONE, point, out, e);
}

static enum status assign_classes(struct host_groups *g, const struct platform *p, struct err *e)
{
  struct classing c = {.n = &p->n};
  enum status s = find_alone(&c.alone, c.n, e);
  for (uint32_t h = 0; h < g->hosts && s == OK; h++)
    s = class_host(&c, platform_point_of_host(p, h), &g->of[h], e);
  g->count = c.class.count;
  pairs_clear(&c.alone);
  pairs_clear(&c.value);
  pairs_clear(&c.star);
  pairs_clear(&c.class);
  return s == OK ? split_by_objects(g, p, e) : FAIL;
}

enum status host_groups_bandwidth(struct host_groups *out, const struct platform *p, struct err *e)
{
  return make(out, p, assign_classes, e);
}

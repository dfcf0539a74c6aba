#include "platforms/bandwidths.h"

#include <math.h>
#include <string.h>

#include "common/containers/pairs.h"
#include "platforms/platform_internal.h"

/* State of the classification.  Each set of pairs numbers its keys. */
struct classing {
  const struct network *n;
  struct pairs alone; /* points that are a class of their own */
  struct pairs value; /* bits of a bandwidth */
  struct pairs star;  /* zone, number of the bandwidth towards its centre */
  struct pairs class; /* ALONE and a point; CLUSTER and a zone; or STARS + number in `star`, number
                         of the bandwidth from the centre */
};

/* First numbers of the pairs in `class`; numbers from STARS on contain a number in `star`. */
enum { ALONE, CLUSTER, STARS };

static enum status keep_alone(struct classing *c, uint32_t point, struct err *e)
{
  uint32_t unused;
  return point == NETWORK_NONE ? OK : pairs_add(&c->alone, point, 0, &unused, e);
}

/* Gateways are closer to the outside than other points.  Bypass routes apply only to their end
 * points. */
static enum status find_alone(struct classing *c, struct err *e)
{
  const struct network *n = c->n;
  enum status s = OK;
  for (uint32_t r = 0; r < n->routes && s == OK; r++) {
    s = keep_alone(c, n->route[r].gateway[0], e);
    if (s == OK)
      s = keep_alone(c, n->route[r].gateway[1], e);
  }
  for (uint32_t z = 0; z < n->zones && s == OK; z++)
    for (uint32_t b = 0; b < n->zone[z].bypasses.count && s == OK; b++) {
      const struct route *r = &n->route[n->zone[z].bypass[b]];
      s = keep_alone(c, r->src, e) == OK ? keep_alone(c, r->dst, e) : FAIL;
    }
  return s;
}

/* The lowest bandwidth of a declared route.  @p route is its number plus 1; 0: no route, INFINITY.
 */
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

static enum status class_host(struct classing *c, uint32_t point, uint32_t *out, struct err *e)
{
  uint32_t id;
  const uint32_t zone = network_zone_of(c->n, point, &id);
  const enum routing routing = c->n->zone[zone].routing;
  if (pairs_find(&c->alone, point, 0) == PAIRS_NONE) {
    if (routing == ROUTING_CLUSTER)
      return pairs_add(&c->class, CLUSTER, zone, out, e);
    if (routing == ROUTING_STAR || routing == ROUTING_VIVALDI)
      return class_star(c, zone, id, out, e);
  }
  return pairs_add(&c->class, ALONE, point, out, e);
}

enum status platform_bandwidth_classes(const struct platform *p, uint32_t *class, uint32_t *count,
                                       struct err *e)
{
  struct classing c = {.n = &p->n};
  enum status s = find_alone(&c, e);
  for (uint32_t h = 0; h < platform_hosts(p) && s == OK; h++)
    s = class_host(&c, platform_point_of_host(p, h), &class[h], e);
  *count = c.class.count;
  pairs_clear(&c.alone);
  pairs_clear(&c.value);
  pairs_clear(&c.star);
  pairs_clear(&c.class);
  return s;
}

double platform_least_bandwidth(const struct platform *p, const struct platform_route *r)
{
  double least = INFINITY;
  for (uint32_t i = 0; i < r->links; i++)
    least = fmin(least, platform_link(p, r->link[i]).bandwidth);
  return least;
}

enum status platform_route_bandwidth(struct platform_finder *f, const struct platform *p,
                                     const uint32_t ends[2], double *out, struct err *e)
{
  double bandwidth = INFINITY;
  for (int way = 0; way < 2; way++) {
    struct platform_route r;
    if (platform_route_needed(f, ends[way], ends[!way], &r, e) != OK)
      return FAIL;
    bandwidth = fmin(bandwidth, platform_least_bandwidth(p, &r));
  }
  *out = bandwidth;
  return OK;
}

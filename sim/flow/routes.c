#include "sim/flow/routes.h"

#include <stdlib.h>
#include <string.h>

#include "common/containers/index.h"
#include "common/mem.h"

/* Cache of routes: longest route kept, in links; slots per host; upper limit of slots; misses minus
 * hits, per slot, at which the cache is dropped. */
enum { KNOWN_LINKS = 10, KNOWN_EACH = 16, KNOWN_MOST = 1 << 12, KNOWN_MISSES = 4 };

/* A slot of the cache. */
struct known {
  double latency_s;
  uint32_t src, dst;
  uint16_t links;
  bool used;
  uint32_t link[KNOWN_LINKS];
};

struct flow_routes {
  const struct platform *platform;
  struct platform_finder *finder;
  struct maxmin *maxmin;
  uint32_t *number; /* by link of the platform: number in the maxmin + 1; 0: not there yet */
  size_t number_room;
  uint32_t *link; /* links of the route found last */
  size_t link_room;
  struct known *known; /* cache, by hash of the pair of hosts; a new pair replaces an old one */
  size_t knowns;       /* slots, a power of two; 0: no cache */
  int64_t misses_left; /* a hit adds 1, a miss subtracts 1; at 0 the cache is dropped */
  double *bandwidth;   /* by link of the maxmin */
  size_t bandwidth_room;
  double *now_bandwidth, *now_latency; /* by link of the platform: changed value, < 0 if unchanged;
                                          NULL: no link has changed */
};

enum status flow_routes_new(struct flow_routes **out, const struct platform *p, struct maxmin *m,
                            struct err *e)
{
  struct flow_routes *r = mem_array(1, sizeof *r, e);
  if (r == NULL)
    return FAIL;
  r->platform = p;
  r->maxmin = m;
  for (r->knowns = 1; r->knowns < KNOWN_MOST && r->knowns / KNOWN_EACH < platform_hosts(p);)
    r->knowns *= 2;
  r->misses_left = KNOWN_MISSES * (int64_t)r->knowns;
  if (platform_finder_new(&r->finder, p, e) != OK ||
      (r->known = mem_array(r->knowns, sizeof *r->known, e)) == NULL) {
    flow_routes_free(r);
    return FAIL;
  }
  *out = r;
  return OK;
}

void flow_routes_free(struct flow_routes *r)
{
  if (r == NULL)
    return;
  platform_finder_free(r->finder);
  free(r->number);
  free(r->link);
  free(r->known);
  free(r->bandwidth);
  free(r->now_bandwidth);
  free(r->now_latency);
  free(r);
}

/* Drops the cache for the rest of the run. */
static void forget(struct flow_routes *r)
{
  free(r->known);
  r->known = NULL;
  r->knowns = 0;
}

/* Extends number[] to @p link with zeros, at once to all links of the platform if their number is
 * known. */
static enum status reserve_number(struct flow_routes *r, uint32_t link, struct err *e)
{
  const size_t before = r->number_room;
  const size_t all = platform_is_opaque(r->platform) ? 0 : platform_link_ids(r->platform);
  if (MEM_GROW(r->number, r->number_room, all > link ? all : (size_t)link + 1, e) != OK)
    return FAIL;
  memset(r->number + before, 0, (r->number_room - before) * sizeof *r->number);
  return OK;
}

static double bandwidth_now(const struct flow_routes *r, uint32_t link)
{
  return r->now_bandwidth != NULL && r->now_bandwidth[link] >= 0
             ? r->now_bandwidth[link]
             : platform_link(r->platform, link).bandwidth;
}

static double latency_now(const struct flow_routes *r, uint32_t link)
{
  return r->now_latency != NULL && r->now_latency[link] >= 0
             ? r->now_latency[link]
             : platform_link(r->platform, link).latency_s;
}

/* Adds a link of the platform to the maxmin. */
static enum status add_link(struct flow_routes *r, uint32_t link, struct err *e)
{
  const double bandwidth = bandwidth_now(r, link);
  uint32_t index;
  if (maxmin_add_link(r->maxmin, bandwidth, platform_link(r->platform, link).fat, &index, e) != OK)
    return FAIL;
  if (MEM_GROW(r->bandwidth, r->bandwidth_room, (size_t)index + 1, e) != OK)
    return FAIL;
  r->bandwidth[index] = bandwidth;
  r->number[link] = index + 1;
  return OK;
}

static enum status find_anew(struct flow_routes *r, uint32_t src, uint32_t dst,
                             struct flow_route *out, struct err *e)
{
  struct platform_route route;
  if (platform_route(r->finder, src, dst, &route, e) != OK)
    return FAIL;
  if (MEM_GROW(r->link, r->link_room, route.links, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < route.links; i++) {
    const uint32_t link = route.link[i];
    if (link >= r->number_room && reserve_number(r, link, e) != OK)
      return FAIL;
    if (r->number[link] == 0 && add_link(r, link, e) != OK)
      return FAIL;
    r->link[i] = r->number[link] - 1;
    if (r->now_latency != NULL)
      route.latency_s += latency_now(r, link) - platform_link(r->platform, link).latency_s;
  }
  *out = (struct flow_route){r->link, route.links, route.latency_s};
  return OK;
}

static void remember(struct known *k, uint32_t src, uint32_t dst, const struct flow_route *found)
{
  k->src = src;
  k->dst = dst;
  k->used = true;
  k->links = (uint16_t)found->links;
  k->latency_s = found->latency_s;
  memcpy(k->link, found->link, found->links * sizeof *k->link);
}

enum status flow_routes_find(struct flow_routes *r, uint32_t src, uint32_t dst,
                             struct flow_route *out, struct err *e)
{
  if (r->knowns == 0)
    return find_anew(r, src, dst, out, e);
  struct known *k = &r->known[index_mix((uint64_t)src << 32 | dst) & (r->knowns - 1)];
  if (k->used && k->src == src && k->dst == dst) {
    r->misses_left++;
    *out = (struct flow_route){k->link, k->links, k->latency_s};
    return OK;
  }
  if (find_anew(r, src, dst, out, e) != OK)
    return FAIL;
  if (out->links <= KNOWN_LINKS)
    remember(k, src, dst, out);
  if (--r->misses_left == 0)
    forget(r);
  return OK;
}

/* Allocates one value per link, all -1 (unchanged), unless they exist. */
static enum status need_values(const struct flow_routes *r, double **values, struct err *e)
{
  const uint32_t links = platform_link_ids(r->platform);
  if (*values != NULL)
    return OK;
  if ((*values = mem_array(links, sizeof **values, e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < links; i++)
    (*values)[i] = -1;
  return OK;
}

enum status flow_routes_set_bandwidth(struct flow_routes *r, uint32_t link, double value,
                                      double *before, struct err *e)
{
  if (need_values(r, &r->now_bandwidth, e) != OK)
    return FAIL;
  *before = bandwidth_now(r, link);
  r->now_bandwidth[link] = value;
  if (link < r->number_room && r->number[link] != 0) {
    maxmin_set_capacity(r->maxmin, r->number[link] - 1, value);
    r->bandwidth[r->number[link] - 1] = value;
  }
  return OK;
}

enum status flow_routes_set_latency(struct flow_routes *r, uint32_t link, double value,
                                    double *before, struct err *e)
{
  if (need_values(r, &r->now_latency, e) != OK)
    return FAIL;
  forget(r);
  *before = latency_now(r, link);
  r->now_latency[link] = value;
  return OK;
}

enum status flow_routes_contains(struct flow_routes *r, uint32_t src, uint32_t dst, bool both,
                                 uint32_t link, bool *uses, struct err *e)
{
  *uses = false;
  for (int way = 0; way <= both && !*uses; way++) {
    struct platform_route route;
    if (platform_route(r->finder, way == 0 ? src : dst, way == 0 ? dst : src, &route, e) != OK)
      return FAIL;
    for (uint32_t i = 0; i < route.links && !*uses; i++)
      *uses = route.link[i] == link;
  }
  return OK;
}

double flow_routes_bandwidth(const struct flow_routes *r, uint32_t link)
{
  return r->bandwidth[link];
}

void flow_routes_platform_links(const struct flow_routes *r, uint32_t *link)
{
  for (size_t i = 0; i < r->number_room; i++)
    if (r->number[i] != 0)
      link[r->number[i] - 1] = (uint32_t)i;
}

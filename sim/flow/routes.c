#include "sim/flow/routes.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

struct flow_routes {
  const struct platform *platform;
  const struct topology *topology; /* NULL: opaque platform */
  struct maxmin *maxmin;
  uint32_t *number; /* in the maxmin, plus 1; 0: none; by link, then loopbacks by host */
  size_t number_room;
  uint32_t *link; /* of the route found last */
  size_t link_room;
  double *bandwidth; /* by link of the maxmin */
  size_t bandwidth_room;
};

static enum status new_topology(struct flow_routes *r, struct err *e)
{
  const size_t loopbacks = topology_hosts(r->topology);
  r->number = mem_array(topology_link_ids(r->topology) + loopbacks, sizeof *r->number, e);
  if (r->number == NULL)
    return FAIL;
  r->link = mem_array((size_t)topology_diameter(r->topology) + 1, sizeof *r->link, e);
  return r->link == NULL ? FAIL : OK;
}

/* Adds a link of the platform to the maxmin. */
static enum status add_link(struct flow_routes *r, uint32_t link, double bandwidth, bool fat,
                            struct err *e)
{
  uint32_t index;
  if (maxmin_add_link(r->maxmin, bandwidth, fat, &index, e) != OK)
    return FAIL;
  if (MEM_GROW(r->bandwidth, r->bandwidth_room, (size_t)index + 1, e) != OK)
    return FAIL;
  r->bandwidth[index] = bandwidth;
  r->number[link] = index + 1;
  return OK;
}

enum status flow_routes_new(struct flow_routes **out, const struct platform *p, struct maxmin *m,
                            struct err *e)
{
  struct flow_routes *r = mem_array(1, sizeof *r, e);
  if (r == NULL)
    return FAIL;
  r->platform = p;
  r->topology = platform_topology(p);
  r->maxmin = m;
  if (r->topology != NULL && new_topology(r, e) != OK) {
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
  free(r->number);
  free(r->link);
  free(r->bandwidth);
  free(r);
}

static enum status number_link(struct flow_routes *r, uint32_t link, struct err *e)
{
  const bool loopback = link >= topology_link_ids(r->topology);
  const double bandwidth =
      loopback ? platform_loopback_bandwidth(r->platform) : platform_bandwidth(r->platform);
  return add_link(r, link, bandwidth, loopback, e);
}

static enum status find_in_topology(struct flow_routes *r, uint32_t src, uint32_t dst,
                                    struct flow_route *out, struct err *e)
{
  const bool loopback = src == dst;
  const double each =
      loopback ? platform_loopback_latency(r->platform) : platform_latency(r->platform);
  double latency = 0;
  uint32_t n = 1;
  if (loopback)
    r->link[0] = topology_link_ids(r->topology) + src;
  else
    n = topology_route(r->topology, src, dst, r->link);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t *number = &r->number[r->link[i]];
    if (*number == 0 && number_link(r, r->link[i], e) != OK)
      return FAIL;
    r->link[i] = *number - 1;
    latency += each;
  }
  *out = (struct flow_route){r->link, n, latency};
  return OK;
}

/* Extends number[] to @p link with zeros. */
static enum status reserve_number(struct flow_routes *r, uint32_t link, struct err *e)
{
  const size_t before = r->number_room;
  if (MEM_GROW(r->number, r->number_room, (size_t)link + 1, e) != OK)
    return FAIL;
  if (r->number_room > before)
    memset(r->number + before, 0, (r->number_room - before) * sizeof *r->number);
  return OK;
}

static enum status number_routed(struct flow_routes *r, uint32_t link, struct err *e)
{
  if (reserve_number(r, link, e) != OK)
    return FAIL;
  const struct platform_link *l = platform_link(r->platform, link);
  return r->number[link] != 0 ? OK : add_link(r, link, l->bandwidth, l->fat, e);
}

static enum status ask_router(struct flow_routes *r, uint32_t src, uint32_t dst,
                              struct flow_route *out, struct err *e)
{
  struct platform_route route;
  if (platform_route(r->platform, src, dst, &route, e) != OK)
    return FAIL;
  if (MEM_GROW(r->link, r->link_room, route.links, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < route.links; i++) {
    if (number_routed(r, route.link[i], e) != OK)
      return FAIL;
    r->link[i] = r->number[route.link[i]] - 1;
  }
  *out = (struct flow_route){r->link, route.links, route.latency_s};
  return OK;
}

enum status flow_routes_find(struct flow_routes *r, uint32_t src, uint32_t dst,
                             struct flow_route *out, struct err *e)
{
  return r->topology == NULL ? ask_router(r, src, dst, out, e)
                             : find_in_topology(r, src, dst, out, e);
}

double flow_routes_bandwidth(const struct flow_routes *r, uint32_t link)
{
  return r->bandwidth[link];
}

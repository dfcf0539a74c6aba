#include "sim/flow_routes.h"

#include <stdlib.h>

#include "common/mem.h"
#include "sim/flow_foreign.h"

struct flow_routes {
  const struct platform *platform;
  const struct topology *topology; /* NULL: foreign */
  struct flow_foreign *foreign;
  struct maxmin *maxmin;
  uint32_t *number;  /* by link of the topology, then loopback by host: in the maxmin, plus 1 */
  uint32_t *link;    /* of the route found last */
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

static enum status add_link(void *arg, double bandwidth, bool fat, uint32_t *link, struct err *e)
{
  struct flow_routes *r = arg;
  uint32_t index;
  if (maxmin_add_link(r->maxmin, bandwidth, fat, &index, e) != OK)
    return FAIL;
  void *bandwidths = r->bandwidth;
  if (mem_grow(&bandwidths, &r->bandwidth_room, (size_t)index + 1, sizeof bandwidth, e) != OK)
    return FAIL;
  r->bandwidth = bandwidths;
  r->bandwidth[index] = bandwidth;
  *link = index;
  return OK;
}

enum status flow_routes_new(struct flow_routes **out, const struct engine_config *c,
                            struct maxmin *m, struct err *e)
{
  struct flow_routes *r = mem_array(1, sizeof *r, e);
  if (r == NULL)
    return FAIL;
  r->platform = c->platform;
  r->topology = platform_topology(c->platform);
  r->maxmin = m;
  const enum status s =
      r->topology == NULL ? flow_foreign_new(&r->foreign, c, add_link, r, e) : new_topology(r, e);
  if (s == OK)
    *out = r;
  else
    flow_routes_free(r);
  return s;
}

void flow_routes_free(struct flow_routes *r)
{
  if (r == NULL)
    return;
  flow_foreign_free(r->foreign);
  free(r->number);
  free(r->link);
  free(r->bandwidth);
  free(r);
}

/* Makes the maxmin's link for one of the topology's. */
static enum status number_link(struct flow_routes *r, uint32_t link, struct err *e)
{
  const bool loopback = link >= topology_link_ids(r->topology);
  const double bandwidth =
      loopback ? platform_loopback_bandwidth(r->platform) : platform_bandwidth(r->platform);
  uint32_t index;
  if (add_link(r, bandwidth, loopback, &index, e) != OK)
    return FAIL;
  r->number[link] = index + 1;
  return OK;
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

enum status flow_routes_find(struct flow_routes *r, uint32_t src, uint32_t dst,
                             struct flow_route *out, struct err *e)
{
  return r->topology == NULL ? flow_foreign_find(r->foreign, src, dst, out, e)
                             : find_in_topology(r, src, dst, out, e);
}

double flow_routes_bandwidth(const struct flow_routes *r, uint32_t link)
{
  return r->bandwidth[link];
}

struct flow_host flow_routes_host(const struct flow_routes *r, uint32_t h)
{
  struct flow_host host = {.cores = 1};
  if (r->topology != NULL) {
    host.speed = platform_host_speed(r->platform, h);
    host.full_speed = platform_full_speed(r->platform);
  } else {
    flow_foreign_host(r->foreign, h, &host.speed, &host.cores);
    host.full_speed = host.speed;
  }
  return host;
}

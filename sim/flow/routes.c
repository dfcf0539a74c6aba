#include "sim/flow/routes.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

struct flow_routes {
  const struct platform *platform;
  struct platform_finder *finder;
  struct maxmin *maxmin;
  uint32_t *number; /* by link of the platform: in the maxmin, plus 1; 0: none */
  size_t number_room;
  uint32_t *link; /* of the route found last */
  size_t link_room;
  double *bandwidth; /* by link of the maxmin */
  size_t bandwidth_room;
};

enum status flow_routes_new(struct flow_routes **out, const struct platform *p, struct maxmin *m,
                            struct err *e)
{
  struct flow_routes *r = mem_array(1, sizeof *r, e);
  if (r == NULL)
    return FAIL;
  r->platform = p;
  r->maxmin = m;
  if (platform_finder_new(&r->finder, p, e) != OK) {
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
  free(r->bandwidth);
  free(r);
}

/* Extends number[] to @p link with zeros: at once to all links, where they are known. */
static enum status reserve_number(struct flow_routes *r, uint32_t link, struct err *e)
{
  const size_t before = r->number_room;
  const size_t all = platform_is_opaque(r->platform) ? 0 : platform_link_ids(r->platform);
  if (MEM_GROW(r->number, r->number_room, all > link ? all : (size_t)link + 1, e) != OK)
    return FAIL;
  memset(r->number + before, 0, (r->number_room - before) * sizeof *r->number);
  return OK;
}

/* Adds a link of the platform to the maxmin. */
static enum status add_link(struct flow_routes *r, uint32_t link, struct err *e)
{
  const struct platform_link l = platform_link(r->platform, link);
  uint32_t index;
  if (maxmin_add_link(r->maxmin, l.bandwidth, l.fat, &index, e) != OK)
    return FAIL;
  if (MEM_GROW(r->bandwidth, r->bandwidth_room, (size_t)index + 1, e) != OK)
    return FAIL;
  r->bandwidth[index] = l.bandwidth;
  r->number[link] = index + 1;
  return OK;
}

enum status flow_routes_find(struct flow_routes *r, uint32_t src, uint32_t dst,
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
  }
  *out = (struct flow_route){r->link, route.links, route.latency_s};
  return OK;
}

double flow_routes_bandwidth(const struct flow_routes *r, uint32_t link)
{
  return r->bandwidth[link];
}

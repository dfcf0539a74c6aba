#include "mappers/kept_routes.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"

enum status kept_routes_new(struct kept_routes *k, const struct platform *p, struct err *e)
{
  const uint32_t ids = platform_link_ids(p);
  *k = (struct kept_routes){.hosts = platform_hosts(p)};
  if ((k->bandwidth = mem_array(ids, sizeof *k->bandwidth, e)) == NULL ||
      (k->hosts <= KEPT_ROUTES_MOST &&
       (k->route = mem_array((size_t)k->hosts * k->hosts, sizeof *k->route, e)) == NULL))
    return FAIL;
  for (uint32_t i = 0; i < ids; i++)
    if (platform_has_link(p, i))
      k->bandwidth[i] = platform_link(p, i).bandwidth;
  return platform_finder_new(&k->finder, p, e);
}

void kept_routes_clear(struct kept_routes *k)
{
  platform_finder_free(k->finder);
  free(k->route);
  free(k->link);
  free(k->bandwidth);
}

/* Appends a route to link[]. */
static enum status add(struct kept_routes *k, const struct platform_route *r,
                       struct kept_route *out, struct err *e)
{
  if (MEM_GROW(k->link, k->link_room, k->links + r->links, e) != OK)
    return FAIL;
  *out = (struct kept_route){(uint32_t)k->links, r->links, r->latency_s, INFINITY, 0};
  for (uint32_t i = 0; i < r->links; i++) {
    const double bandwidth = k->bandwidth[r->link[i]];
    k->link[k->links++] = r->link[i];
    out->narrowest = fmin(out->narrowest, bandwidth);
    out->byte_s += 1 / bandwidth;
  }
  return OK;
}

enum status kept_routes_find(struct kept_routes *k, uint32_t src, uint32_t dst,
                             struct kept_route *out, struct err *e)
{
  struct kept_route *kept = k->route == NULL ? NULL : &k->route[(size_t)src * k->hosts + dst];
  struct platform_route r;
  if (kept != NULL && kept->links > 0) {
    *out = *kept;
    return OK;
  }
  if (platform_route(k->finder, src, dst, &r, e) != OK || add(k, &r, out, e) != OK)
    return FAIL;
  if (kept != NULL)
    *kept = *out;
  return OK;
}

void kept_routes_shed(struct kept_routes *k)
{
  if (k->route == NULL)
    k->links = 0;
}

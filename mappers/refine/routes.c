#include "mappers/refine/routes.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "platforms/topology/grid.h"

enum {
  INLINE_LINKS = 13, /* of a remembered route, which fills a cache line */
  MOST_REMEMBERED = 1 << 18,
  MOST_TABLE = 1024 /* hosts of a table of hops */
};

/* A remembered route; src == dst: none yet. */
struct entry {
  uint32_t src, dst;
  uint16_t hops, links;
  uint32_t link[INLINE_LINKS];
};

struct routes {
  const struct platform *platform;
  const struct topology *grid; /* whose routes are the platform's; NULL: others */
  struct platform_finder *finder;
  struct entry *entry;
  uint64_t mask;  /* of entries, less 1 */
  uint32_t *room; /* of one route */
  size_t rooms;
  uint16_t *hops; /* by pair of hosts, 0: not yet known; NULL: too many */
  uint32_t hosts, most_hops;
  bool failed;
  struct err why;
};

static struct route fail(struct routes *r)
{
  r->failed = true;
  return (struct route){.link = r->room};
}

/* Asks the platform, and leaves out links that are not shared. */
static struct route ask(struct routes *r, uint32_t src, uint32_t dst)
{
  struct platform_route x;
  char a[PLATFORM_NAME_SIZE], b[PLATFORM_NAME_SIZE];
  if (r->failed || platform_route(r->finder, src, dst, &x, &r->why) != OK ||
      MEM_GROW(r->room, r->rooms, x.links, &r->why) != OK)
    return fail(r);
  if (x.links == 0 || x.links > r->most_hops) {
    err_set(&r->why, "%s: %s route from host %s to host %s", platform_name(r->platform),
            x.links == 0 ? "no" : "too long a", platform_host_name(r->platform, src, a, sizeof a),
            platform_host_name(r->platform, dst, b, sizeof b));
    return fail(r);
  }
  struct route out = {.link = r->room, .hops = x.links};
  for (uint32_t i = 0; i < x.links; i++)
    if (!platform_link(r->platform, x.link[i]).fat)
      r->room[out.links++] = x.link[i];
  return out;
}

/* The platform's links are the topology's, all of them shared and no others on the way. */
static enum status is_plain_grid(struct routes *r, const struct topology *t, bool *plain,
                                 struct err *e)
{
  struct platform_route x = {.links = 0};
  *plain = t != NULL && topology_is_grid(t) && topology_diameter(t) <= r->most_hops;
  if (!*plain || r->hosts == 1)
    return OK;
  if (platform_route(r->finder, 0, 1, &x, e) != OK)
    return FAIL;
  *plain = x.links == topology_hops(t, 0, 1) && !platform_link(r->platform, x.link[0]).fat;
  return OK;
}

static enum status set_up(struct routes *r, struct err *e)
{
  const struct topology *t = platform_topology(r->platform);
  bool plain;
  if (platform_finder_new(&r->finder, r->platform, e) != OK ||
      is_plain_grid(r, t, &plain, e) != OK ||
      MEM_GROW(r->room, r->rooms, plain ? topology_diameter(t) + 1 : 16, e) != OK ||
      (r->hosts <= MOST_TABLE &&
       (r->hops = mem_array((size_t)r->hosts * r->hosts, sizeof *r->hops, e)) == NULL))
    return FAIL;
  if (plain) {
    r->grid = t;
    return OK;
  }
  uint64_t n = 1;
  while (n < MOST_REMEMBERED && n < (uint64_t)r->hosts * r->hosts)
    n *= 2;
  r->mask = n - 1;
  return (r->entry = mem_array(n, sizeof *r->entry, e)) == NULL ? FAIL : OK;
}

enum status routes_new(struct routes **out, const struct platform *p, uint32_t most_hops,
                       struct err *e)
{
  struct routes *r = mem_array(1, sizeof *r, e);
  if (r == NULL)
    return FAIL;
  *r = (struct routes){.platform = p,
                       .hosts = platform_hosts(p),
                       .most_hops = most_hops < UINT16_MAX ? most_hops : UINT16_MAX};
  if (set_up(r, e) != OK) {
    routes_free(r);
    return FAIL;
  }
  *out = r;
  return OK;
}

void routes_free(struct routes *r)
{
  if (r == NULL)
    return;
  platform_finder_free(r->finder);
  free(r->entry);
  free(r->room);
  free(r->hops);
  free(r);
}

enum status routes_check(const struct routes *r, struct err *e)
{
  return r->failed ? err_set(e, "%s", r->why.text) : OK;
}

const uint32_t *routes_grid(const struct routes *r, uint32_t *ndims)
{
  const struct topology *t = platform_topology(r->platform);
  return t != NULL && topology_is_grid(t) ? grid_sides(t, ndims) : NULL;
}

/* Few hosts have a place for each pair. */
static struct entry *place_of(struct routes *r, uint32_t src, uint32_t dst)
{
  const uint64_t pair = (uint64_t)src * r->hosts + dst;
  if ((uint64_t)r->hosts * r->hosts <= r->mask + 1)
    return &r->entry[pair];
  return &r->entry[(pair * UINT64_C(0x9e3779b97f4a7c15) >> 40) & r->mask];
}

static struct route remember(struct routes *r, struct entry *x, uint32_t src, uint32_t dst)
{
  const struct route found = ask(r, src, dst);
  if (found.hops == 0 || found.links > INLINE_LINKS)
    return found;
  *x = (struct entry){
      .src = src, .dst = dst, .hops = (uint16_t)found.hops, .links = (uint16_t)found.links};
  memcpy(x->link, found.link, found.links * sizeof *x->link);
  return found;
}

struct route routes_find(struct routes *r, uint32_t src, uint32_t dst)
{
  if (src == dst)
    return (struct route){.link = r->room};
  if (r->grid != NULL) {
    const uint32_t n = topology_route(r->grid, src, dst, r->room);
    return (struct route){.link = r->room, .links = n, .hops = n};
  }
  struct entry *x = place_of(r, src, dst);
  if (x->src == src && x->dst == dst)
    return (struct route){.link = x->link, .links = x->links, .hops = x->hops};
  return remember(r, x, src, dst);
}

uint32_t routes_hops(struct routes *r, uint32_t src, uint32_t dst)
{
  if (src == dst)
    return 0;
  if (r->hops == NULL)
    return r->grid != NULL ? topology_hops(r->grid, src, dst) : routes_find(r, src, dst).hops;
  uint16_t *known = &r->hops[(size_t)src * r->hosts + dst];
  if (*known == 0)
    *known = (uint16_t)routes_find(r, src, dst).hops;
  return *known;
}

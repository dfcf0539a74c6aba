#include "mappers/refine/routes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "platforms/topology/grid.h"

enum {
  INLINE_LINKS = 13,         /* in a cached route: an entry fills a cache line */
  MOST_REMEMBERED = 1 << 18, /* limit of the cached routes */
  MOST_TABLE = 1024,         /* limit of the hosts for a table of hops */
  LONGEST_SIDE = 64,         /* longest side of a grid with tables */
  CHUNK = 4                  /* link ids copied at a time */
};

/* A cached route; src == dst: empty. */
struct entry {
  uint32_t src, dst;
  uint16_t hops, links;
  uint32_t link[INLINE_LINKS];
};

/* Routes on a grid follow one axis after another.  The id of a link is (host it leaves * dimensions
 * + dimension) * 2 + (1 if it goes down): grid.h. */
struct grid {
  const struct topology *topology; /* NULL: no grid, or routes have other links too */
  uint32_t ndims;
  uint32_t side[GRID_MAX_DIMS];
  uint32_t stride[GRID_MAX_DIMS]; /* in hosts */
  uint32_t width[GRID_MAX_DIMS];  /* most links along the axis, rounded up to chunks */
  uint8_t *steps[GRID_MAX_DIMS];  /* by a * side + b: links from coordinate a to b */
  int32_t *way[GRID_MAX_DIMS];    /* by the same: `width` ids, relative to the first id of the host
                                     at a */
  uint16_t *at;                   /* by host and dimension: its coordinate; NULL: no tables */
  uint8_t *step_room;
  int32_t *way_room;
};

struct routes {
  const struct platform *platform;
  uint8_t *counts; /* by link: its load counts; NULL on grids, where all loads count */
  struct grid grid;
  struct platform_finder *finder;
  struct entry *entry;
  uint64_t mask;  /* number of entries - 1 */
  uint32_t *room; /* for one route */
  size_t rooms;
  uint16_t *hops; /* by pair of hosts, 0: not yet known; NULL: too many hosts */
  uint32_t hosts, most_hops;
  bool failed;
  struct err why;
};

static struct route fail(struct routes *r)
{
  r->failed = true;
  return (struct route){.link = r->room};
}

/* Marks the links that are shared and not fixed. */
static enum status mark_loads(struct routes *r, const uint8_t *fixed, struct err *e)
{
  const uint32_t ids = platform_link_ids(r->platform);
  if ((r->counts = mem_array(ids, 1, e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < ids; i++)
    r->counts[i] = platform_has_link(r->platform, i) && !platform_link(r->platform, i).fat &&
                   (fixed == NULL || !fixed[i]);
  return OK;
}

static enum status too_long(const struct routes *r, uint32_t hops, struct err *e)
{
  return hops > UINT16_MAX
             ? err_set(e, "%s: routes of %" PRIu32 " hops; a search counts at most 65535",
                       platform_name(r->platform), hops)
             : err_set(e, "%s: the hop-bytes reach 2^62 on routes of %" PRIu32 " hops",
                       platform_name(r->platform), hops);
}

/* Asks the platform for the route and drops links without loads. */
static struct route ask(struct routes *r, uint32_t src, uint32_t dst)
{
  struct platform_route x;
  if (r->failed || platform_route_needed(r->finder, src, dst, &x, &r->why) != OK ||
      MEM_GROW(r->room, r->rooms, x.links, &r->why) != OK)
    return fail(r);
  if (x.links > r->most_hops) {
    (void)too_long(r, x.links, &r->why);
    return fail(r);
  }
  struct route out = {.link = r->room, .hops = x.links};
  for (uint32_t i = 0; i < x.links; i++)
    if (r->counts[x.link[i]])
      r->room[out.links++] = x.link[i];
  return out;
}

/* Sets *plain if routes consist only of the links of a grid topology, all of them shared. */
static enum status is_plain_grid(struct routes *r, const struct topology *t, bool *plain,
                                 struct err *e)
{
  struct platform_route x = {.links = 0};
  *plain = t != NULL && topology_is_grid(t);
  if (!*plain || r->hosts == 1)
    return OK;
  if (topology_diameter(t) > r->most_hops)
    return too_long(r, topology_diameter(t), e);
  if (platform_route(r->finder, 0, 1, &x, e) != OK)
    return FAIL;
  *plain = x.links == topology_hops(t, 0, 1) && !platform_link(r->platform, x.link[0]).fat;
  return OK;
}

/* Fills the tables of an axis from the routes between its hosts. */
static void fill_ways(struct grid *g, uint32_t d, uint32_t *links)
{
  const uint32_t side = g->side[d];
  for (uint32_t a = 0; a < side; a++)
    for (uint32_t b = 0; b < side; b++) {
      const uint32_t from = a * g->stride[d], to = b * g->stride[d];
      const uint32_t n = topology_route(g->topology, from, to, links);
      const size_t pair = (size_t)a * side + b;
      g->steps[d][pair] = (uint8_t)n;
      for (uint32_t i = 0; i < n; i++)
        g->way[d][pair * g->width[d] + i] = (int32_t)(links[i] - from * g->ndims * 2);
    }
}

static enum status alloc_ways(struct routes *r, size_t pairs, size_t ids, struct err *e)
{
  struct grid *g = &r->grid;
  if ((g->step_room = mem_array(pairs, 1, e)) == NULL ||
      (g->way_room = mem_array(ids, sizeof *g->way_room, e)) == NULL ||
      (g->at = mem_array((size_t)r->hosts * g->ndims, sizeof *g->at, e)) == NULL)
    return FAIL;
  uint8_t *step = g->step_room;
  int32_t *way = g->way_room;
  for (uint32_t d = 0; d < g->ndims; d++) {
    const size_t n = (size_t)g->side[d] * g->side[d];
    g->steps[d] = step;
    g->way[d] = way;
    step += n;
    way += n * g->width[d];
  }
  return OK;
}

/* Makes the tables of a grid, unless a side is too long. */
static enum status fill_grid(struct routes *r, struct err *e)
{
  struct grid *g = &r->grid;
  size_t pairs = 0, ids = 0;
  const uint32_t *side = grid_sides(g->topology, &g->ndims);
  for (uint32_t d = 0; d < g->ndims; d++) {
    g->side[d] = side[d];
    g->stride[d] = d == 0 ? 1 : g->stride[d - 1] * side[d - 1];
    const uint32_t longest = grid_kind(g->topology) == GRID_TORUS ? side[d] / 2 : side[d] - 1;
    g->width[d] = (longest + CHUNK) / CHUNK * CHUNK;
    if (side[d] > LONGEST_SIDE)
      return OK;
    pairs += (size_t)side[d] * side[d];
    ids += (size_t)side[d] * side[d] * g->width[d];
  }
  if (alloc_ways(r, pairs, ids, e) != OK)
    return FAIL;
  for (uint32_t d = 0; d < g->ndims; d++) {
    fill_ways(g, d, r->room);
    for (uint32_t h = 0; h < r->hosts; h++)
      g->at[(size_t)h * g->ndims + d] = (uint16_t)(h / g->stride[d] % side[d]);
  }
  return OK;
}

static enum status set_up(struct routes *r, const uint8_t *fixed, struct err *e)
{
  const struct topology *t = platform_topology(r->platform);
  bool plain;
  if (platform_finder_new(&r->finder, r->platform, e) != OK ||
      is_plain_grid(r, t, &plain, e) != OK ||
      MEM_GROW(r->room, r->rooms, plain ? topology_diameter(t) + CHUNK : 16, e) != OK ||
      (r->hosts <= MOST_TABLE &&
       (r->hops = mem_array((size_t)r->hosts * r->hosts, sizeof *r->hops, e)) == NULL))
    return FAIL;
  if (plain) {
    r->grid.topology = t;
    return fill_grid(r, e);
  }
  if (mark_loads(r, fixed, e) != OK)
    return FAIL;
  uint64_t n = 1;
  while (n < MOST_REMEMBERED && n < (uint64_t)r->hosts * r->hosts)
    n *= 2;
  r->mask = n - 1;
  return (r->entry = mem_array(n, sizeof *r->entry, e)) == NULL ? FAIL : OK;
}

enum status routes_new(struct routes **out, const struct platform *p, uint32_t most_hops,
                       const uint8_t *fixed, struct err *e)
{
  struct routes *r = mem_array(1, sizeof *r, e);
  if (r == NULL)
    return FAIL;
  *r = (struct routes){.platform = p,
                       .hosts = platform_hosts(p),
                       .most_hops = most_hops < UINT16_MAX ? most_hops : UINT16_MAX};
  if (set_up(r, fixed, e) != OK) {
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
  free(r->counts);
  free(r->entry);
  free(r->room);
  free(r->hops);
  free(r->grid.at);
  free(r->grid.step_room);
  free(r->grid.way_room);
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

/* The entry for a route.  With few hosts, each pair has its own entry; with more, pairs share
 * entries by a hash. */
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

/* Writes the links of a route on a grid with tables, and returns their number.  Copies whole chunks
 * of ids: a loop with few and varying iterations would take most of the search's time. */
static uint32_t route_on_grid(const struct grid *g, uint32_t src, uint32_t dst, uint32_t *link)
{
  const uint16_t *from = g->at + (size_t)src * g->ndims, *to = g->at + (size_t)dst * g->ndims;
  uint32_t n = 0, host = src;
  for (uint32_t d = 0; d < g->ndims; d++) {
    const size_t pair = (size_t)from[d] * g->side[d] + to[d];
    const uint32_t steps = g->steps[d][pair], base = host * g->ndims * 2;
    const int32_t *way = g->way[d] + pair * g->width[d];
    uint32_t i = 0;
    do
      for (int k = 0; k < CHUNK; k++, i++)
        link[n + i] = base + (uint32_t)way[i];
    while (i < steps);
    n += steps;
    host += ((uint32_t)to[d] - from[d]) * g->stride[d];
  }
  return n;
}

struct route routes_find(struct routes *r, uint32_t src, uint32_t dst)
{
  if (src == dst)
    return (struct route){.link = r->room};
  if (r->grid.topology != NULL) {
    const uint32_t n = r->grid.at != NULL ? route_on_grid(&r->grid, src, dst, r->room)
                                          : topology_route(r->grid.topology, src, dst, r->room);
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
    return r->grid.topology != NULL ? topology_hops(r->grid.topology, src, dst)
                                    : routes_find(r, src, dst).hops;
  uint16_t *known = &r->hops[(size_t)src * r->hosts + dst];
  if (*known == 0)
    *known = (uint16_t)routes_find(r, src, dst).hops;
  return *known;
}

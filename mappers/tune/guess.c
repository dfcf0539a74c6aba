#include "mappers/tune/guess.h"

#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/mem.h"
#include "mappers/estimate.h"

/* Limit of the pairs that communicate. */
enum { MOST_PAIRS = 1 << 20 };

/* The norm that is the estimated time. */
enum { ESTIMATED = GUESS_NORMS - 1 };

struct guess {
  struct arena mem; /* owns the arrays */
  const struct mapper_input *in;
  struct estimate *estimate;
  const struct kept_routes *routes; /* of the estimate */
  uint32_t *link; /* shared links of routes, in the order in which they are found */
  double *byte_s; /* by index in link[]: seconds per byte, divided by the mean seconds of a link
                     with all ranks in order */
  double *load;   /* by link of the platform, in bytes */
  uint32_t ids, links;
  size_t hops;        /* shared links of all routes */
  uint32_t *in_order; /* by rank: its number, the slot in which scale() puts it */
};

static void add_route(struct guess *l, const struct kept_route *r, bool *found)
{
  for (uint32_t i = 0; i < r->links; i++) {
    const uint32_t link = l->routes->link[r->first + i];
    const struct platform_link x = platform_link(l->in->platform, link);
    l->hops += !x.fat;
    if (x.fat || found[link])
      continue;
    found[link] = true;
    l->link[l->links] = link;
    l->byte_s[l->links++] = 1 / x.bandwidth;
  }
}

static enum status find_routes(struct guess *l, bool *found, struct err *e)
{
  for (uint32_t a = 0; a < l->routes->hosts; a++)
    for (uint32_t b = 0; b < l->routes->hosts; b++) {
      struct kept_route route;
      if (a == b)
        continue;
      if (kept_routes_find(estimate_routes(l->estimate), a, b, &route, e) != OK)
        return FAIL;
      add_route(l, &route, found);
    }
  return OK;
}

static enum status fill(struct guess *l, struct err *e)
{
  if (estimate_new(&l->estimate, l->in, e) != OK)
    return FAIL;
  l->routes = estimate_routes(l->estimate);
  l->ids = platform_link_ids(l->in->platform);
  l->link = arena_array(&l->mem, l->ids, sizeof *l->link);
  l->byte_s = arena_array(&l->mem, l->ids, sizeof *l->byte_s);
  l->load = arena_array(&l->mem, l->ids, sizeof *l->load);
  l->in_order = arena_array(&l->mem, l->in->ranks, sizeof *l->in_order);
  OWNED bool *found = mem_array(l->ids, sizeof *found, e);
  return arena_status(&l->mem) == OK && found != NULL ? find_routes(l, found, e) : FAIL;
}

static void add_loads(struct guess *l, const uint32_t *at)
{
  const struct matrix *t = l->in->traffic;
  const struct kept_route *route = l->routes->route;
  const uint32_t *link = l->routes->link, each = l->in->ranks_per_host, hosts = l->routes->hosts;
  double *load = l->load;
  memset(load, 0, l->ids * sizeof *load);
  for (size_t i = 0; i < t->count; i++) {
    const struct matrix_entry x = matrix_at(t, i);
    const uint32_t src = at[x.src] / each, dst = at[x.dst] / each;
    const struct kept_route *r = &route[(size_t)src * hosts + dst];
    const uint32_t *to = link + r->first, *end = src == dst ? to : to + r->links;
    for (; to < end; to++)
      load[*to] += (double)x.bytes;
  }
}

/* Divides the seconds of links by their mean with all ranks in order, so that their powers stay in
 * range. */
static void scale(struct guess *l)
{
  double sum = 0;
  for (uint32_t r = 0; r < l->in->ranks; r++)
    l->in_order[r] = r;
  add_loads(l, l->in_order);
  for (uint32_t i = 0; i < l->links; i++)
    sum += l->load[l->link[i]] * l->byte_s[i];
  for (uint32_t i = 0; i < l->links && sum > 0; i++)
    l->byte_s[i] *= l->links / sum;
}

enum status guess_new(struct guess **out, const struct mapper_input *in, struct err *e)
{
  *out = NULL;
  if (platform_hosts(in->platform) > KEPT_ROUTES_MOST || in->traffic->count > MOST_PAIRS)
    return OK;
  struct guess *l = mem_array(1, sizeof *l, e);
  if (l == NULL)
    return FAIL;
  l->mem.e = e;
  l->in = in;
  if (fill(l, e) != OK) {
    guess_free(l);
    return FAIL;
  }
  scale(l);
  *out = l;
  return OK;
}

void guess_free(struct guess *l)
{
  if (l == NULL)
    return;
  estimate_free(l->estimate);
  arena_clear(&l->mem);
  free(l);
}

uint64_t guess_work(const struct guess *l, uint32_t norm)
{
  const size_t pairs = (size_t)l->routes->hosts * l->routes->hosts;
  if (norm == ESTIMATED)
    return estimate_work(l->estimate);
  return 1 + l->links + l->in->traffic->count * (1 + l->hops / pairs);
}

double guess_score(struct guess *l, const uint32_t *at, uint32_t norm)
{
  double sum = 0;
  if (norm == ESTIMATED)
    return estimate_of_slots(l->estimate, at);
  add_loads(l, at);
  for (uint32_t i = 0; i < l->links; i++) {
    double x = l->load[l->link[i]] * l->byte_s[i];
    for (uint32_t k = 0; k < norm; k++)
      x *= k < 2 ? x : x * x * x;
    sum += x;
  }
  return sum;
}

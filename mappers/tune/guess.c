#include "mappers/tune/guess.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/mem.h"
#include "mappers/estimate.h"

/* Limits of the hosts, because all routes are stored, and of the pairs that communicate. */
enum { MOST_HOSTS = 1024, MOST_PAIRS = 1 << 20 };

/* The norm that is the estimated time. */
enum { ESTIMATED = GUESS_NORMS - 1 };

struct guess {
  struct arena mem; /* owns the arrays, except link[] and byte_s[] */
  const struct mapper_input *in;
  uint32_t hosts, links;
  size_t *first;  /* by pair of hosts, src * hosts + dst: its first link in link[]; the next pair's
                     entry is the end */
  uint32_t *link; /* links of the routes, numbered in the order in which they are found; owned */
  size_t link_room;
  uint32_t *number; /* by link of the platform: its number + 1; 0: on no route, or not shared */
  double *byte_s;   /* by link: seconds per byte, divided by the mean seconds of a link with all
                       ranks in order; owned */
  size_t byte_room;
  double *load; /* by link, in bytes */
  struct estimate *estimate;
  uint32_t *host; /* by rank */
};

static enum status add_route(struct guess *l, const struct platform_route *r, size_t *used,
                             struct err *e)
{
  const struct platform *p = l->in->platform;
  if (MEM_GROW(l->link, l->link_room, *used + r->links, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < r->links; i++) {
    const struct platform_link x = platform_link(p, r->link[i]);
    if (x.fat)
      continue;
    if (l->number[r->link[i]] == 0) {
      if (MEM_GROW(l->byte_s, l->byte_room, (size_t)l->links + 1, e) != OK)
        return FAIL;
      l->byte_s[l->links++] = 1 / x.bandwidth;
      l->number[r->link[i]] = l->links;
    }
    l->link[(*used)++] = l->number[r->link[i]] - 1;
  }
  return OK;
}

static enum status find_routes(struct guess *l, struct platform_finder *f, struct err *e)
{
  size_t used = 0;
  for (uint32_t a = 0; a < l->hosts; a++)
    for (uint32_t b = 0; b < l->hosts; b++) {
      struct platform_route route;
      l->first[(size_t)a * l->hosts + b] = used;
      if (a == b)
        continue;
      if (platform_route(f, a, b, &route, e) != OK || add_route(l, &route, &used, e) != OK)
        return FAIL;
    }
  l->first[(size_t)l->hosts * l->hosts] = used;
  return OK;
}

static enum status fill(struct guess *l, struct err *e)
{
  struct platform_finder *f;
  l->first = arena_array(&l->mem, (size_t)l->hosts * l->hosts + 1, sizeof *l->first);
  l->number = arena_array(&l->mem, platform_link_ids(l->in->platform), sizeof *l->number);
  l->host = arena_array(&l->mem, l->in->ranks, sizeof *l->host);
  if (arena_status(&l->mem) != OK || platform_finder_new(&f, l->in->platform, e) != OK)
    return FAIL;
  const enum status s = find_routes(l, f, e);
  platform_finder_free(f);
  if (s != OK || (l->load = arena_array(&l->mem, l->links, sizeof *l->load)) == NULL)
    return FAIL;
  return estimate_new(&l->estimate, l->in, e);
}

static void add_loads(struct guess *l, const uint32_t *at)
{
  const struct matrix *t = l->in->traffic;
  const uint32_t each = l->in->ranks_per_host;
  memset(l->load, 0, l->links * sizeof *l->load);
  for (size_t i = 0; i < t->count; i++) {
    const struct matrix_entry x = matrix_at(t, i);
    const size_t pair = (size_t)(at[x.src] / each) * l->hosts + at[x.dst] / each;
    for (size_t k = l->first[pair]; k < l->first[pair + 1]; k++)
      l->load[l->link[k]] += (double)x.bytes;
  }
}

/* Divides the seconds of links by their mean with all ranks in order, so that their powers stay in
 * range. */
static void scale(struct guess *l)
{
  double sum = 0;
  for (uint32_t r = 0; r < l->in->ranks; r++)
    l->host[r] = r; /* slots, until estimated() needs the array */
  add_loads(l, l->host);
  for (uint32_t i = 0; i < l->links; i++)
    sum += l->load[i] * l->byte_s[i];
  for (uint32_t i = 0; i < l->links && sum > 0; i++)
    l->byte_s[i] *= l->links / sum;
}

enum status guess_new(struct guess **out, const struct mapper_input *in, struct err *e)
{
  const uint32_t hosts = platform_hosts(in->platform);
  *out = NULL;
  if (hosts > MOST_HOSTS || in->traffic->count > MOST_PAIRS)
    return OK;
  struct guess *l = mem_array(1, sizeof *l, e);
  if (l == NULL)
    return FAIL;
  l->mem.e = e;
  l->in = in;
  l->hosts = hosts;
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
  free(l->link);
  free(l->byte_s);
  estimate_free(l->estimate);
  arena_clear(&l->mem);
  free(l);
}

uint64_t guess_work(const struct guess *l, uint32_t norm)
{
  const size_t pairs = (size_t)l->hosts * l->hosts;
  if (norm == ESTIMATED)
    return estimate_work(l->estimate);
  return 1 + l->links + l->in->traffic->count * (1 + l->first[pairs] / pairs);
}

static double estimated(struct guess *l, const uint32_t *at)
{
  struct err unused;
  double time_s;
  mapper_hosts(l->in, at, l->host);
  return estimate_time(l->estimate, l->host, &time_s, &unused) == OK ? time_s : INFINITY;
}

double guess_score(struct guess *l, const uint32_t *at, uint32_t norm)
{
  double sum = 0;
  if (norm == ESTIMATED)
    return estimated(l, at);
  add_loads(l, at);
  for (uint32_t i = 0; i < l->links; i++) {
    double x = l->load[i] * l->byte_s[i];
    for (uint32_t k = 0; k < norm; k++)
      x *= k < 2 ? x : x * x * x;
    sum += x;
  }
  return sum;
}

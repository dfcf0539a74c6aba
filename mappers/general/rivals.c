#include "mappers/general/rivals.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

/* Sums that would overflow are as bad as can be. */
static void add(uint64_t *sum, uint64_t bytes, uint64_t hops)
{
  uint64_t product;
  if (__builtin_mul_overflow(bytes, hops, &product) || __builtin_add_overflow(*sum, product, sum))
    *sum = UINT64_MAX;
}

/* Hop-bytes, each message by its own route.  On a grid both ways are as long. */
static enum status measure(const struct problem *p, struct platform_finder *f, const uint32_t *host,
                           uint64_t *sum, struct err *e)
{
  const struct matrix *traffic = p->in->traffic;
  struct platform_route route;
  *sum = 0;
  for (size_t i = 0; i < traffic->count; i++) {
    const struct matrix_entry *x = &traffic->entry[i];
    const uint32_t a = host[x->src], b = host[x->dst];
    if (a == b)
      continue;
    if (p->m.ndims == 0 && platform_route(f, a, b, &route, e) != OK)
      return FAIL;
    add(sum, x->bytes, p->m.ndims > 0 ? target_hops(&p->m, a, b) : route.links);
  }
  return OK;
}

/* Bytes between different ranks: hop-bytes cannot be less with one rank a host. */
static uint64_t least(const struct problem *p)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < p->in->traffic->count; i++)
    if (p->in->traffic->entry[i].src != p->in->traffic->entry[i].dst)
      add(&sum, p->in->traffic->entry[i].bytes, 1);
  return p->m.per_host == 1 ? sum : 0;
}

/* Gives each rank a slot of its host.  fill[]: by host, 0. */
static void take_hosts(struct problem *p, const uint32_t *host, uint32_t *fill)
{
  for (uint32_t r = 0; r < p->in->ranks; r++)
    p->slot[r] = host[r] * p->m.per_host + fill[host[r]]++;
}

static enum status challenge(struct problem *p, struct platform_finder *f, const char *mapper,
                             uint64_t *best, struct err *e)
{
  struct mapping m;
  uint64_t hop_bytes;
  uint32_t *fill = NULL;
  if (mapper_run(mapper, p->in, &m, e) != OK)
    return FAIL;
  enum status s = measure(p, f, m.host, &hop_bytes, e);
  if (s == OK && hop_bytes < *best) {
    s = (fill = mem_array(p->m.hosts, sizeof *fill, e)) == NULL ? FAIL : OK;
    if (s == OK)
      take_hosts(p, m.host, fill);
    *best = hop_bytes;
  }
  free(fill);
  mapping_clear(&m);
  return s;
}

static enum status compare(struct problem *p, struct platform_finder *f, bool *taken, struct err *e)
{
  struct mapping own;
  uint64_t first, best;
  if (problem_mapping(p, &own, e) != OK)
    return FAIL;
  enum status s = measure(p, f, own.host, &first, e);
  mapping_clear(&own);
  best = first;
  if (s == OK && best > least(p))
    s = challenge(p, f, "xyz", &best, e);
  if (s == OK && best > least(p))
    s = challenge(p, f, "greedy", &best, e);
  *taken = s == OK && best < first;
  return s;
}

enum status rivals_take(struct problem *p, bool *taken, struct err *e)
{
  struct platform_finder *f;
  if (platform_finder_new(&f, p->in->platform, e) != OK)
    return FAIL;
  const enum status s = compare(p, f, taken, e);
  platform_finder_free(f);
  return s;
}

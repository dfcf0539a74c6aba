#include "mappers/general/rivals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

/* Adds @p bytes times @p each.  A sum that overflows becomes UINT64_MAX. */
static void add(uint64_t *sum, uint64_t bytes, uint64_t each)
{
  uint64_t product;
  if (__builtin_mul_overflow(bytes, each, &product) || __builtin_add_overflow(*sum, product, sum))
    *sum = UINT64_MAX;
}

/* The cost of a byte between two hosts: hops on a topology, nanoseconds of latency without one.  On
 * a grid both directions have equal hops. */
static enum status cost_of(const struct problem *p, struct platform_finder *f, uint32_t a,
                           uint32_t b, uint64_t *cost, struct err *e)
{
  const struct topology *t = platform_topology(p->in->platform);
  struct platform_route route;
  if (p->m.ndims > 0)
    *cost = target_hops(&p->m, a, b);
  else if (t != NULL)
    *cost = topology_hops(t, a, b);
  else if (platform_route(f, a, b, &route, e) != OK)
    return FAIL;
  else
    *cost = (uint64_t)llround(route.latency_s * 1e9);
  return OK;
}

/* Sums up bytes times cost. */
static enum status measure(const struct problem *p, struct platform_finder *f, const uint32_t *host,
                           uint64_t *sum, struct err *e)
{
  const struct matrix *traffic = p->in->traffic;
  uint64_t cost;
  *sum = 0;
  for (size_t i = 0; i < traffic->count; i++) {
    const struct matrix_entry x = matrix_at(traffic, i);
    const uint32_t a = host[x.src], b = host[x.dst];
    if (a == b)
      continue;
    if (cost_of(p, f, a, b, &cost, e) != OK)
      return FAIL;
    add(sum, x.bytes, cost);
  }
  return OK;
}

/* A lower bound of the cost: with one rank per host, a byte between different ranks takes at least
 * one hop.  0 with several ranks per host, and for latencies. */
static uint64_t least(const struct problem *p)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < p->in->traffic->count; i++) {
    const struct matrix_entry x = matrix_at(p->in->traffic, i);
    if (x.src != x.dst)
      add(&sum, x.bytes, 1);
  }
  return p->m.per_host == 1 && platform_topology(p->in->platform) != NULL ? sum : 0;
}

/* Gives each rank a slot of its host. */
static enum status take_hosts(const struct problem *p, const uint32_t *host, uint32_t *slot,
                              struct err *e)
{
  uint32_t *fill = mem_array(p->m.hosts, sizeof *fill, e);
  if (fill == NULL)
    return FAIL;
  for (uint32_t r = 0; r < p->in->ranks; r++)
    slot[r] = host[r] * p->m.per_host + fill[host[r]]++;
  free(fill);
  return OK;
}

static enum status run(struct rivals *r, const struct problem *p, const char *mapper, struct err *e)
{
  struct mapping m;
  uint64_t cost;
  if (mapper_run(mapper, p->in, &m, e) != OK)
    return FAIL;
  enum status s = measure(p, r->finder, m.host, &cost, e);
  if (s == OK && cost < r->cost) {
    s = take_hosts(p, m.host, r->slot, e);
    r->cost = cost;
  }
  mapping_clear(&m);
  return s;
}

static enum status measure_own(const struct rivals *r, const struct problem *p, uint64_t *cost,
                               struct err *e)
{
  struct mapping own;
  if (problem_mapping(p, &own, e) != OK)
    return FAIL;
  const enum status s = measure(p, r->finder, own.host, cost, e);
  mapping_clear(&own);
  return s;
}

enum status rivals_run(struct rivals *r, const struct problem *p, struct err *e)
{
  uint64_t own;
  *r = (struct rivals){.cost = UINT64_MAX};
  if ((r->slot = mem_array(p->in->ranks, sizeof *r->slot, e)) == NULL ||
      platform_finder_new(&r->finder, p->in->platform, e) != OK || measure_own(r, p, &own, e) != OK)
    return FAIL;
  if (own <= least(p))
    return OK;
  return run(r, p, "xyz", e) == OK && run(r, p, "greedy", e) == OK ? OK : FAIL;
}

enum status rivals_settle(const struct rivals *r, struct problem *p, bool *below, struct err *e)
{
  uint64_t own;
  if (measure_own(r, p, &own, e) != OK)
    return FAIL;
  *below = r->cost < own;
  if (*below)
    memcpy(p->slot, r->slot, p->in->ranks * sizeof *p->slot);
  return OK;
}

void rivals_clear(struct rivals *r)
{
  platform_finder_free(r->finder);
  free(r->slot);
  *r = (struct rivals){.slot = NULL};
}

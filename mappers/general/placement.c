#include "mappers/general/placement.h"

#include <string.h>

static uint32_t host_of(const struct placement *p, uint32_t slot)
{
  return p->m->per_host == 1 ? slot : slot / p->m->per_host;
}

/* The hops from the host with coordinates at[] to another host. */
static uint32_t hops_on_grid(const struct target *m, const uint32_t *at, uint32_t host)
{
  uint32_t sum = 0;
  for (uint32_t d = 0; d < m->ndims; d++)
    sum += target_along(m, d, at[d], target_split(m, d, &host));
  return sum;
}

static uint64_t sum_on_grid(const struct placement *p, const uint32_t *slot)
{
  const struct graph *g = p->g;
  uint32_t at[GRID_MAX_DIMS];
  uint64_t sum = 0;
  for (uint32_t v = 0; v < g->n; v++) {
    uint32_t host = host_of(p, slot[v]);
    for (uint32_t d = 0; d < p->m->ndims; d++)
      at[d] = target_split(p->m, d, &host);
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
      if (g->to[a] > v)
        sum += (uint64_t)g->weight[a] * hops_on_grid(p->m, at, host_of(p, slot[g->to[a]]));
  }
  return sum;
}

uint64_t placement_hops(const struct placement *p, const uint32_t *slot)
{
  const struct graph *g = p->g;
  uint64_t sum = 0;
  if (p->m->ndims > 0 && !p->m->cube)
    return sum_on_grid(p, slot);
  for (uint32_t v = 0; v < g->n; v++)
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
      if (g->to[a] > v)
        sum += (uint64_t)g->weight[a] *
               target_hops(p->m, host_of(p, slot[v]), host_of(p, slot[g->to[a]]));
  return sum;
}

void placement_improve(struct placement *p, const uint32_t *slot)
{
  const uint64_t hops = placement_hops(p, slot);
  if (hops >= p->hops)
    return;
  p->hops = hops;
  memcpy(p->slot, slot, p->g->n * sizeof *slot);
}

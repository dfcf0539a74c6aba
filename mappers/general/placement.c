#include "mappers/general/placement.h"

#include <string.h>

uint64_t placement_hops(const struct placement *p, const uint32_t *slot)
{
  const struct graph *g = p->g;
  const uint32_t k = p->m->per_host;
  uint64_t sum = 0;
  for (uint32_t v = 0; v < g->n; v++)
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
      if (g->to[a] > v)
        sum += (uint64_t)g->weight[a] * target_hops(p->m, slot[v] / k, slot[g->to[a]] / k);
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

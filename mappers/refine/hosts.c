#include "mappers/refine/hosts.h"

#include <string.h>

/* The ranks of each host as a group. */
struct groups {
  struct arena mem;
  uint32_t *of;   /* by rank: its group */
  uint32_t *host; /* by group */
  uint32_t *size; /* by group: its ranks */
  uint32_t count;
  struct matrix traffic;
  struct phases phases;
};

static enum status group_ranks(struct groups *g, const uint32_t *host,
                               const struct mapper_input *in)
{
  const uint32_t hosts = platform_hosts(in->platform);
  uint32_t *on = arena_array(&g->mem, hosts, sizeof *on);
  g->of = arena_array(&g->mem, in->ranks, sizeof *g->of);
  g->host = arena_array(&g->mem, in->ranks, sizeof *g->host);
  g->size = arena_array(&g->mem, in->ranks, sizeof *g->size);
  if (arena_status(&g->mem) != OK)
    return FAIL;
  memset(on, 0xff, hosts * sizeof *on);
  for (uint32_t r = 0; r < in->ranks; r++) {
    if (on[host[r]] == UINT32_MAX) {
      on[host[r]] = g->count;
      g->host[g->count++] = host[r];
    }
    g->of[r] = on[host[r]];
    g->size[g->of[r]]++;
  }
  return OK;
}

/* The ranks of a group compute at the same time, on the cores of their host: a group, which counts
 * as one rank, has the computation of one core. */
static void share_cores(struct groups *g, const struct platform *p)
{
  for (uint32_t i = 0; i < g->count; i++) {
    const uint32_t cores = platform_host_cores(p, g->host[i]);
    g->phases.flops[i] /= g->size[i] < cores ? g->size[i] : cores;
  }
}

static enum status contract(struct groups *g, const struct mapper_input *in, enum objective by,
                            struct err *e)
{
  const struct phases *p = NULL;
  if (matrix_contract(&g->traffic, in->traffic, g->of, g->count, e) != OK)
    return FAIL;
  if (by != OBJECTIVE_TIME)
    return OK;
  if (mapper_phases(in, &p, e) != OK)
    return FAIL;
  if (p == NULL)
    return OK;
  if (phases_contract(&g->phases, p, g->of, g->count, e) != OK)
    return FAIL;
  share_cores(g, in->platform);
  return OK;
}

static enum status get_phases(void *data, const struct phases **out, struct err *e)
{
  (void)e;
  *out = data;
  return OK;
}

static enum status exchange(struct groups *g, uint32_t *host, const struct mapper_input *in,
                            const struct search_plan *plan, swaps_value *value, struct err *e)
{
  if (group_ranks(g, host, in) != OK || contract(g, in, plan->objective, e) != OK)
    return FAIL;
  const struct mapper_phases phases = {&g->phases, get_phases};
  struct mapper_input inner = *in;
  inner.traffic = &g->traffic;
  inner.phases = g->phases.first == NULL ? NULL : &phases;
  inner.ranks = g->count;
  inner.ranks_per_host = 1;
  inner.capacity = NULL;
  if (search(g->host, &inner, plan, value, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < in->ranks; r++)
    host[r] = g->host[g->of[r]];
  return OK;
}

enum status search_hosts(uint32_t *host, const struct mapper_input *in,
                         const struct search_plan *plan, swaps_value *value, struct err *e)
{
  struct groups g = {.mem = {.e = e}};
  const enum status s = exchange(&g, host, in, plan, value, e);
  matrix_clear(&g.traffic);
  phases_clear(&g.phases);
  arena_clear(&g.mem);
  return s;
}

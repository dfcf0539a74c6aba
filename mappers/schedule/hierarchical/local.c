#include "mappers/schedule/hierarchical/local.h"

#include <math.h>
#include <stdlib.h>

#include "common/arena.h"
#include "common/containers/pairs.h"
#include "common/mem.h"
#include "mappers/schedule/hostheap.h"
#include "mappers/schedule/order.h"
#include "mappers/schedule/scheduler.h"
#include "tasks/cost.h"
#include "tasks/timing/producers.h"

#define NOWHERE UINT32_MAX

/* The nodes of a heap of hosts in pool[]. */
struct segment {
  size_t first;
  uint32_t count;
};

struct local {
  const struct tasknet *n;
  const struct local_groups *g;
  uint32_t *host;       /* result, by element */
  double *free_at;      /* E, by host, in costs */
  struct hostheap *all; /* by group */
  struct hostheap_node *node;
  struct dependence d;

  struct pairs wide; /* by segment: (lane, group), for the lane's producers' hosts in the group */
  struct segment *segment;
  size_t segment_room;
  struct hostheap_node *pool;
  size_t pool_used, pool_room;
  bool *built;     /* by lane */
  uint32_t *stamp; /* by host: the last visit() of it, 2 * lane + 1 + fill */
};

static void local_clear(struct local *l)
{
  dependence_clear(&l->d);
  pairs_clear(&l->wide);
  free(l->segment);
  free(l->pool);
}

static enum status local_new(struct local *l, struct arena *mem)
{
  const struct local_groups *g = l->g;
  l->free_at = arena_array(mem, g->hosts, sizeof *l->free_at);
  l->all = arena_array(mem, g->groups, sizeof *l->all);
  l->node = arena_array(mem, g->hosts, sizeof *l->node);
  l->built = arena_array(mem, l->n->lanes, sizeof *l->built);
  l->stamp = arena_array(mem, g->hosts, sizeof *l->stamp);
  if (arena_status(mem) != OK || dependence_costs(&l->d, l->n, mem->e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < g->groups; i++) {
    l->all[i] = (struct hostheap){&l->node[g->first[i]], g->first[i + 1] - g->first[i]};
    for (uint32_t k = 0; k < l->all[i].count; k++)
      l->all[i].node[k].host = g->list[g->first[i] + k];
    hostheap_build(&l->all[i], l->free_at);
  }
  return OK;
}

static uint32_t group_of(const struct local *l, uint32_t element)
{
  return l->g->group == NULL ? 0 : l->g->group[element];
}

/* --- hosts of producers ----------------------------------------------------------------------- */

/* Counts the hosts of a lane's producers by group.  If @p fill, also writes them to the pool. */
static enum status visit(struct local *l, uint32_t stream, uint32_t lane, bool fill, struct err *e)
{
  const uint32_t mark = 2 * lane + 1 + fill;
  struct producers p = producers_of(l->n, stream, lane);
  for (uint32_t element, number; producers_next(&p, &element) != NULL;) {
    const uint32_t host = l->host[element], before = l->wide.count;
    if (l->stamp[host] == mark)
      continue;
    l->stamp[host] = mark;
    if (pairs_add(&l->wide, lane, group_of(l, element), &number, e) != OK ||
        MEM_GROW(l->segment, l->segment_room, l->wide.count, e) != OK)
      return FAIL;
    if (number == before)
      l->segment[number] = (struct segment){0};
    struct segment *at = &l->segment[number];
    if (fill)
      l->pool[at->first + at->count].host = host;
    at->count++;
  }
  return OK;
}

static enum status build(struct local *l, uint32_t stream, uint32_t lane, struct err *e)
{
  const uint32_t from = l->wide.count;
  if (visit(l, stream, lane, false, e) != OK)
    return FAIL;
  for (uint32_t i = from; i < l->wide.count; i++) {
    l->segment[i].first = l->pool_used;
    l->pool_used += l->segment[i].count;
    l->segment[i].count = 0;
  }
  if (MEM_GROW(l->pool, l->pool_room, l->pool_used, e) != OK ||
      visit(l, stream, lane, true, e) != OK)
    return FAIL;
  for (uint32_t i = from; i < l->wide.count; i++) {
    struct hostheap h = {&l->pool[l->segment[i].first], l->segment[i].count};
    hostheap_build(&h, l->free_at);
  }
  l->built[lane] = true;
  return OK;
}

static uint32_t sooner(const struct local *l, uint32_t a, uint32_t b)
{
  if (a == NOWHERE || b == NOWHERE)
    return a == NOWHERE ? b : a;
  if (l->free_at[a] != l->free_at[b])
    return l->free_at[a] < l->free_at[b] ? a : b;
  return a < b ? a : b;
}

static uint32_t best_of_few(const struct local *l, uint32_t stream, uint32_t lane, uint32_t group)
{
  struct producers p = producers_of(l->n, stream, lane);
  uint32_t best = NOWHERE;
  for (uint32_t element; producers_next(&p, &element) != NULL;)
    if (group_of(l, element) == group)
      best = sooner(l, best, l->host[element]);
  return best;
}

/* The host of the lane's producers in @p group that is free first; NOWHERE: there is none. */
static enum status best_producer(struct local *l, uint32_t stream, uint32_t lane, uint32_t group,
                                 uint32_t *out, struct err *e)
{
  if (!producers_are_many(l->n, stream)) {
    *out = best_of_few(l, stream, lane, group);
    return OK;
  }
  if (!l->built[lane] && build(l, stream, lane, e) != OK)
    return FAIL;
  const uint32_t number = pairs_find(&l->wide, lane, group);
  if (number == PAIRS_NONE) {
    *out = NOWHERE;
    return OK;
  }
  struct hostheap h = {&l->pool[l->segment[number].first], l->segment[number].count};
  *out = hostheap_first(&h, l->free_at);
  return OK;
}

/* --- elements --------------------------------------------------------------------------------- */

static enum status place(struct local *l, uint32_t element, struct err *e)
{
  const struct tasknet *n = l->n;
  const uint32_t array = n->array_of[element], k = element - n->array[array].first;
  const uint32_t group = group_of(l, element);
  const struct tasknet_cost *c = tasknet_cost_of(n, array, k);
  uint32_t near = NOWHERE, host = hostheap_first(&l->all[group], l->free_at);
  for (size_t i = 0; i < tasknet_inputs(n, array); i++) {
    const struct tasknet_end *end = tasknet_input(n, array, i);
    uint32_t best;
    if (best_producer(l, end->stream, tasknet_lane(n, end, k), group, &best, e) != OK)
      return FAIL;
    near = sooner(l, near, best);
  }
  if (near != NOWHERE && l->free_at[near] + c->compute <= l->free_at[host] + c->in + c->compute)
    host = near;
  l->host[element] = host;
  l->free_at[host] = fmax(l->free_at[host] + c->in + c->compute, l->d.start[element] + c->compute);
  return OK;
}

enum status local_place(const struct tasknet *n, const struct local_groups *g, uint32_t *host,
                        uint32_t *order, struct err *e)
{
  struct local l = {.n = n, .g = g, .host = host};
  ARENA(mem, e);
  enum status s = local_new(&l, &mem);
  if (s == OK)
    s = order_by_key(n, l.d.start, order, e);
  for (uint32_t i = 0; s == OK && i < n->elements; i++)
    s = place(&l, order[i], e);
  local_clear(&l);
  return s;
}

/* --- scheduler -------------------------------------------------------------------------------- */

static enum status schedule_all(const struct scheduler_input *in, uint32_t *host, uint32_t *order,
                                struct err *e)
{
  const uint32_t hosts = in->farm->hosts, first[2] = {0, hosts};
  ARENA(mem, e);
  uint32_t *list = arena_array(&mem, hosts, sizeof *list);
  if (list == NULL)
    return FAIL;
  for (uint32_t h = 0; h < hosts; h++)
    list[h] = h;
  const struct local_groups g = {.groups = 1, .hosts = hosts, .first = first, .list = list};
  return local_place(in->net, &g, host, order, e);
}

const struct scheduler schedule_local = {
    .name = "local",
    .help =
        "the paper's single scheduler: by dependence costs, as if all hosts and links were equal",
    .run = schedule_all,
};

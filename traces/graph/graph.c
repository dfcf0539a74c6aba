#include "traces/graph/graph.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "common/containers/heap.h"
#include "common/mem.h"
#include "traces/comm.h"
#include "traces/datatype.h"

enum status graph_add(struct graph *g, const struct graph_node *n, struct err *e)
{
  if (g->nodes >= UINT32_MAX - 2)
    return err_set(e, "a rank has more than %" PRIu32 " operations", UINT32_MAX - 2);
  if (MEM_GROW(g->node, g->node_room, (size_t)g->nodes + 2, e) != OK)
    return FAIL;
  g->node[g->nodes] = *n;
  g->node[g->nodes++].needs = 0;
  if (g->streams <= n->stream)
    g->streams = (uint32_t)n->stream + 1;
  return OK;
}

enum status graph_depend(struct graph *g, const struct graph_edge *d, struct err *e)
{
  if (g->edges == UINT32_MAX)
    return err_set(e, "a rank has more than %" PRIu32 " dependences", UINT32_MAX);
  if (MEM_GROW(g->edge, g->edge_room, (size_t)g->edges + 1, e) != OK)
    return FAIL;
  g->edge[g->edges++] = *d;
  return OK;
}

void graph_clear(struct graph *g)
{
  free(g->node);
  free(g->target);
  free(g->edge);
  *g = (struct graph){0};
}

/* --- order ------------------------------------------------------------------------------------ */

static bool points_forward(const struct graph *g)
{
  for (uint32_t i = 0; i < g->edges; i++)
    if (g->edge[i].from >= g->edge[i].to)
      return false;
  return true;
}

/* Sets the targets of all nodes by a counting sort of the edges.  Slot 2n holds the position of the
 * next target that waits for the end of node n, slot 2n + 1 the same for its begin. */
static void link_nodes(struct graph *g, uint32_t *target, uint32_t *slot)
{
  uint32_t sum = 0;
  for (uint32_t i = 0; i < g->nodes; i++)
    g->node[i].needs = 0;
  for (uint32_t i = 0; i < g->edges; i++) {
    slot[2 * (size_t)g->edge[i].from + g->edge[i].begin]++;
    g->node[g->edge[i].to].needs++;
  }
  for (size_t i = 0; i < 2 * (size_t)g->nodes; i++) {
    const uint32_t count = slot[i];
    slot[i] = sum;
    sum += count;
  }
  for (uint32_t i = 0; i < g->nodes; i++) {
    g->node[i].first = slot[2 * (size_t)i];
    g->node[i].middle = slot[2 * (size_t)i + 1];
  }
  g->node[g->nodes] = (struct graph_node){.first = sum, .middle = sum};
  for (uint32_t i = 0; i < g->edges; i++)
    target[slot[2 * (size_t)g->edge[i].from + g->edge[i].begin]++] = g->edge[i].to;
}

static enum status make_targets(struct graph *g, struct err *e)
{
  uint32_t *target = mem_array(g->edges, sizeof *target, e);
  uint32_t *slot = target == NULL ? NULL : mem_array(2 * (size_t)g->nodes, sizeof *slot, e);
  if (slot == NULL) {
    free(target);
    return FAIL;
  }
  link_nodes(g, target, slot);
  free(slot);
  free(g->target);
  g->target = target;
  return OK;
}

/* Finds a node on a cycle among the nodes without a number: goes backwards over dependences. */
static uint32_t find_cycle(const struct graph *g, const uint32_t *number, uint32_t *before)
{
  uint32_t at = 0;
  for (uint32_t i = 0; i < g->edges; i++)
    if (number[g->edge[i].from] == UINT32_MAX)
      before[g->edge[i].to] = g->edge[i].from;
  while (number[at] != UINT32_MAX)
    at++;
  for (uint32_t i = 0; i < g->nodes; i++)
    at = before[at];
  return at;
}

static void satisfy(const struct graph *g, uint32_t node, uint32_t *needs, struct heap *ready)
{
  const struct graph_node *n = &g->node[node];
  for (uint32_t i = n->first; i < n[1].first; i++)
    if (--needs[g->target[i]] == 0)
      heap_set(ready, g->target[i], g->target[i]);
}

/* Numbers the nodes; returns how many get a number. */
static uint32_t number_nodes(const struct graph *g, uint32_t *number, uint32_t *needs,
                             struct heap *ready)
{
  uint32_t done = 0;
  for (uint32_t i = 0; i < g->nodes; i++) {
    number[i] = UINT32_MAX;
    needs[i] = g->node[i].needs;
    if (needs[i] == 0)
      heap_set(ready, i, i);
  }
  for (; heap_count(ready) > 0; done++) {
    const uint32_t node = heap_first(ready);
    heap_remove(ready, node);
    number[node] = done;
    satisfy(g, node, needs, ready);
  }
  return done;
}

static void renumber(struct graph *g, const uint32_t *number, struct graph_node *copy)
{
  for (uint32_t i = 0; i < g->nodes; i++)
    copy[number[i]] = g->node[i];
  free(g->node);
  g->node = copy;
  g->node_room = (size_t)g->nodes + 1;
  for (uint32_t i = 0; i < g->edges; i++) {
    g->edge[i].from = number[g->edge[i].from];
    g->edge[i].to = number[g->edge[i].to];
  }
}

/* Sorts the nodes so that all dependences point forward. */
static enum status sort_nodes(struct graph *g, uint64_t *record, struct err *e)
{
  struct heap ready = {0};
  uint32_t *number = mem_array(g->nodes, sizeof *number, e);
  uint32_t *needs = number == NULL ? NULL : mem_array(g->nodes, sizeof *needs, e);
  struct graph_node *copy = NULL;
  enum status s = needs == NULL ? FAIL : make_targets(g, e);
  if (s == OK)
    s = heap_reserve(&ready, g->nodes, e);
  if (s == OK && number_nodes(g, number, needs, &ready) < g->nodes) {
    *record = g->node[find_cycle(g, number, needs)].record;
    s = err_set(e, "this operation depends on itself");
  }
  heap_clear(&ready);
  if (s == OK && (copy = mem_array((size_t)g->nodes + 1, sizeof *copy, e)) != NULL)
    renumber(g, number, copy);
  free(number);
  free(needs);
  return copy == NULL ? FAIL : OK;
}

/* Adds a dependence of each collective on the one before it on its communicator. */
static enum status chain_collectives(struct graph *g, struct err *e)
{
  uint32_t *last = NULL; /* by communicator: its last collective, plus 1 */
  size_t room = 0, known = 0;
  enum status s = OK;
  for (uint32_t i = 0; i < g->nodes && s == OK; i++) {
    const size_t c = g->node[i].comm == NULL ? 0 : g->node[i].comm->index;
    if (!action_is_collective(g->node[i].kind))
      continue;
    s = MEM_GROW(last, room, c + 1, e);
    for (; s == OK && known <= c; known++)
      last[known] = 0;
    if (s == OK && last[c] != 0)
      s = graph_depend(g, &(struct graph_edge){last[c] - 1, i, true}, e);
    if (s == OK)
      last[c] = i + 1;
  }
  free(last);
  return s;
}

enum status graph_finish(struct graph *g, uint64_t *record, struct err *e)
{
  *record = 0;
  if (g->streams == 0)
    g->streams = 1;
  if (MEM_GROW(g->node, g->node_room, (size_t)g->nodes + 1, e) != OK ||
      (!points_forward(g) && sort_nodes(g, record, e) != OK) || chain_collectives(g, e) != OK ||
      make_targets(g, e) != OK)
    return FAIL;
  free(g->edge);
  g->edge = NULL;
  g->edge_room = 0;
  return OK;
}

/* --- actions ---------------------------------------------------------------------------------- */

/* Splits the bytes among the members: the first ones get a byte more than the last ones. */
static enum status split(const struct graph_node *n, uint32_t members, struct graph_counts *c,
                         struct err *e)
{
  if (n->bytes / members >= INT32_MAX)
    return err_set(e, "%s: a share of %" PRIu64 " bytes is above %d", action_name(n->kind),
                   n->bytes / members, INT32_MAX);
  if (MEM_GROW(c->count, c->room, members, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < members; i++)
    c->count[i] = (int32_t)(n->bytes / members + (i < n->bytes % members));
  return OK;
}

/* Collectives whose bytes are split: with unequal shares these become their v forms. */
static enum status split_action(const struct graph_node *n, uint32_t member, uint32_t members,
                                struct graph_counts *c, struct action *a, struct err *e)
{
  if (split(n, members, c, e) != OK)
    return FAIL;
  const bool equal = n->bytes % members == 0;
  a->count = a->count2 = c->count[member];
  if (a->kind == ACTION_REDUCESCATTER || (!equal && a->kind == ACTION_SCATTER)) {
    a->sendcounts = a->recvcounts = c->count;
    a->kind = a->kind == ACTION_SCATTER ? ACTION_SCATTERV : a->kind;
  } else if (!equal) {
    if (MEM_GROW(c->count, c->room, 2 * (size_t)members, e) != OK)
      return FAIL;
    for (uint32_t i = 0; i < members; i++)
      c->count[members + i] = c->count[member];
    a->sendcounts = c->count;
    a->recvcounts = c->count + members;
    a->kind = ACTION_ALLTOALLV;
  }
  return OK;
}

enum status graph_action(const struct graph_node *n, uint32_t rank, uint32_t ranks,
                         struct graph_counts *counts, struct action *out, struct err *e)
{
  action_begin(out, (enum action_kind)n->kind, ACTION_STANDARD);
  out->partner = n->peer;
  out->tag = n->tag;
  out->type = out->type2 = DATATYPE_BYTE;
  out->comm = n->comm;
  if (n->kind == ACTION_COMPUTE) {
    out->amount = n->flops;
    return OK;
  }
  if (n->bytes > INT64_MAX)
    return err_set(e, "%s: %" PRIu64 " bytes are above %" PRId64, action_name(n->kind), n->bytes,
                   INT64_MAX);
  out->count = out->count2 = (int64_t)n->bytes;
  if (n->kind != ACTION_ALLTOALL && n->kind != ACTION_REDUCESCATTER && n->kind != ACTION_SCATTER)
    return OK;
  uint32_t member;
  const bool is_member = comm_member(n->comm, rank, &member);
  assert(is_member);
  (void)is_member;
  return split_action(n, member, comm_size(n->comm, ranks), counts, out, e);
}

#include "wan/routing.h"

#include <stdlib.h>

#include "common/heap.h"
#include "common/mem.h"

#define FAR UINT64_MAX

/* The route of a process to the one at hand. */
struct route {
  uint64_t rtt_ps;
  uint32_t hops, next;
};

/* The routes to one process after the other: the processes settle in the order of their RTTs to it,
 * as in Dijkstra's search along the connections backwards. */
struct router {
  struct route *route; /* by process */
  const struct adjacency *graph;
  const uint64_t *rtt_ps;
  struct heap heap;
};

/* Takes the route from @p p through @p q, which has settled, if it is better than the one known. */
static void offer(struct router *x, uint32_t p, uint32_t q)
{
  struct route *r = &x->route[p];
  const uint64_t rtt = x->rtt_ps[(size_t)p * x->graph->n + q] + x->route[q].rtt_ps;
  const uint32_t hops = x->route[q].hops + 1;
  if (rtt > r->rtt_ps || (rtt == r->rtt_ps && hops > r->hops) ||
      (rtt == r->rtt_ps && hops == r->hops && q >= r->next))
    return;
  *r = (struct route){rtt, hops, q};
  heap_set(&x->heap, p, rtt);
}

/* Connections of RTT 0 may lower the hops of a process that has left the queue: it goes in again.
 */
static void route_to(struct router *x, uint32_t to)
{
  const struct adjacency *g = x->graph;
  for (uint32_t p = 0; p < g->n; p++)
    x->route[p] = (struct route){FAR, 0, ROUTING_NONE};
  x->route[to].rtt_ps = 0;
  heap_set(&x->heap, to, 0);
  while (heap_count(&x->heap) > 0) {
    const uint32_t q = heap_first(&x->heap);
    heap_remove(&x->heap, q);
    for (size_t i = g->first[q]; i < g->first[q + 1]; i++)
      offer(x, g->edge[i].to, q);
  }
}

static void keep(struct routing *out, const struct router *x, uint32_t to)
{
  for (uint32_t p = 0; p < out->n; p++) {
    const size_t at = (size_t)p * out->n + to;
    out->next[at] = x->route[p].next;
    out->hops[at] = x->route[p].hops;
    out->rtt_ps[at] = x->route[p].rtt_ps;
  }
}

static enum status alloc(struct routing *r, uint32_t n, struct err *e)
{
  const size_t pairs = (size_t)n * n;
  *r = (struct routing){.n = n};
  if ((r->next = mem_array(pairs, sizeof *r->next, e)) == NULL ||
      (r->hops = mem_array(pairs, sizeof *r->hops, e)) == NULL ||
      (r->rtt_ps = mem_array(pairs, sizeof *r->rtt_ps, e)) == NULL)
    return FAIL;
  return OK;
}

enum status routing_new(struct routing *out, const struct adjacency *graph,
                        const struct processes *p, const uint64_t *rtt_ps, struct err *e)
{
  struct routing made;
  struct router x = {.graph = graph, .rtt_ps = rtt_ps != NULL ? rtt_ps : p->rtt_ps};
  if (alloc(&made, graph->n, e) != OK ||
      (x.route = mem_array(graph->n, sizeof *x.route, e)) == NULL ||
      heap_reserve(&x.heap, graph->n, e) != OK) {
    free(x.route);
    routing_clear(&made);
    return FAIL;
  }
  for (uint32_t to = 0; to < graph->n; to++) {
    route_to(&x, to);
    keep(&made, &x, to);
  }
  free(x.route);
  heap_clear(&x.heap);
  *out = made;
  return OK;
}

void routing_clear(struct routing *r)
{
  free(r->next);
  free(r->hops);
  free(r->rtt_ps);
  *r = (struct routing){0};
}

struct routing_figures routing_figures(const struct routing *r)
{
  struct routing_figures f = {.pairs = 0};
  uint64_t hops = 0, longest = 0;
  double rtt = 0;
  for (size_t i = 0; i < (size_t)r->n * r->n; i++) {
    if (r->next[i] == ROUTING_NONE)
      continue;
    f.pairs++;
    f.direct += r->hops[i] == 1;
    f.most_hops = r->hops[i] > f.most_hops ? r->hops[i] : f.most_hops;
    longest = r->rtt_ps[i] > longest ? r->rtt_ps[i] : longest;
    hops += r->hops[i];
    rtt += (double)r->rtt_ps[i];
  }
  if (f.pairs > 0) {
    f.mean_hops = (double)hops / (double)f.pairs;
    f.mean_rtt_s = rtt / ((double)f.pairs * PROCESSES_PS_PER_S);
    f.most_rtt_s = (double)longest / PROCESSES_PS_PER_S;
  }
  return f;
}

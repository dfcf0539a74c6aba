#include "wan/routing.h"

#include <stdlib.h>

#include "common/containers/heap.h"
#include "common/mem.h"

#define FAR UINT64_MAX

/* Number of destinations whose routes are copied to the tables together: the entries of one
 * destination are n entries apart there. */
enum { BLOCK = 8 };

/* The route of a process to the current destination. */
struct route {
  uint64_t rtt_ps;
  uint32_t hops, next;
};

/* Computes the routes to each destination by Dijkstra's algorithm along reversed connections:
 * processes settle in the order of their RTTs to the destination. */
struct router {
  struct route *route; /* by destination of the block, then by process */
  const struct adjacency *graph;
  uint64_t *back_ps; /* by edge: RTT from its end to its start */
  struct heap heap;
};

/* Process @p q has settled.  Updates the route of its neighbour on @p edge if the route through
 * @p q is better. */
static void offer(struct router *x, struct route *route, uint32_t q, size_t edge)
{
  const uint32_t p = x->graph->edge[edge].to;
  struct route *r = &route[p];
  const uint64_t rtt = x->back_ps[edge] + route[q].rtt_ps;
  const uint32_t hops = route[q].hops + 1;
  if (rtt > r->rtt_ps || (rtt == r->rtt_ps && hops > r->hops) ||
      (rtt == r->rtt_ps && hops == r->hops && q >= r->next))
    return;
  *r = (struct route){rtt, hops, q};
  heap_set(&x->heap, p, rtt);
}

/* A connection of RTT 0 may lower the hops of a process that has left the queue; that process
 * enters the queue again. */
static void route_to(struct router *x, struct route *route, uint32_t to)
{
  const struct adjacency *g = x->graph;
  for (uint32_t p = 0; p < g->n; p++)
    route[p] = (struct route){FAR, 0, ROUTING_NO_ROUTE};
  route[to].rtt_ps = 0;
  heap_set(&x->heap, to, 0);
  while (heap_count(&x->heap) > 0) {
    const uint32_t q = heap_first(&x->heap);
    heap_remove(&x->heap, q);
    for (size_t i = g->first[q]; i < g->first[q + 1]; i++)
      offer(x, route, q, i);
  }
}

static void keep(struct routing *out, const struct router *x, uint32_t first, uint32_t end)
{
  for (uint32_t p = 0; p < out->n; p++)
    for (uint32_t to = first; to < end; to++) {
      const size_t at = (size_t)p * out->n + to;
      const struct route *r = &x->route[(size_t)(to - first) * out->n + p];
      out->next[at] = r->next;
      out->hops[at] = r->hops;
      out->rtt_ps[at] = r->rtt_ps;
    }
}

static void route_all(struct routing *out, struct router *x)
{
  const uint32_t n = out->n;
  for (uint32_t first = 0; first < n; first += BLOCK) {
    const uint32_t end = n - first < BLOCK ? n : first + BLOCK;
    for (uint32_t to = first; to < end; to++)
      route_to(x, x->route + (size_t)(to - first) * n, to);
    keep(out, x, first, end);
  }
}

static enum status prepare(struct router *x, const uint64_t *rtt_ps, struct err *e)
{
  const struct adjacency *g = x->graph;
  if ((x->route = mem_array((size_t)g->n * BLOCK, sizeof *x->route, e)) == NULL ||
      (x->back_ps = mem_array(g->first[g->n], sizeof *x->back_ps, e)) == NULL ||
      heap_reserve(&x->heap, g->n, e) != OK)
    return FAIL;
  for (uint32_t q = 0; q < g->n; q++)
    for (size_t i = g->first[q]; i < g->first[q + 1]; i++)
      x->back_ps[i] = rtt_ps[(size_t)g->edge[i].to * g->n + q];
  return OK;
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
  struct router x = {.graph = graph};
  enum status s = alloc(&made, graph->n, e);
  if (s == OK && (s = prepare(&x, rtt_ps != NULL ? rtt_ps : p->rtt_ps, e)) == OK) {
    route_all(&made, &x);
    *out = made;
  } else {
    routing_clear(&made);
  }
  free(x.route);
  free(x.back_ps);
  heap_clear(&x.heap);
  return s;
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
    if (r->next[i] == ROUTING_NO_ROUTE)
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

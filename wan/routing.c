#include "wan/routing.h"

#include <stdlib.h>

#include "common/heap.h"
#include "common/mem.h"

#define FAR UINT64_MAX

/* The routes to one process after the other: the processes settle in the order of their RTTs to it,
 * as in Dijkstra's search along the connections backwards. */
struct router {
  struct routing *r;
  const struct adjacency *graph;
  const uint64_t *rtt_ps;
  struct heap heap;
  uint32_t to; /* the process that the routes lead to */
};

static size_t cell(const struct router *x, uint32_t from)
{
  return (size_t)from * x->r->n + x->to;
}

/* Is a route from @p p through @p q, which has settled, better than the one that is known? */
static void offer(struct router *x, uint32_t p, uint32_t q)
{
  struct routing *r = x->r;
  const size_t at = cell(x, p), through = cell(x, q);
  const uint64_t rtt = x->rtt_ps[(size_t)p * r->n + q] + r->rtt_ps[through];
  const uint32_t hops = r->hops[through] + 1;
  if (rtt > r->rtt_ps[at] || (rtt == r->rtt_ps[at] && hops > r->hops[at]) ||
      (rtt == r->rtt_ps[at] && hops == r->hops[at] && q >= r->next[at]))
    return;
  r->rtt_ps[at] = rtt;
  r->hops[at] = hops;
  r->next[at] = q;
  heap_set(&x->heap, p, rtt);
}

/* Connections of RTT 0 may lower the hops of a process that has left the queue: it goes in again.
 */
static void route_to(struct router *x, uint32_t to)
{
  const struct adjacency *g = x->graph;
  x->to = to;
  x->r->rtt_ps[cell(x, to)] = 0;
  x->r->hops[cell(x, to)] = 0;
  heap_set(&x->heap, to, 0);
  while (heap_count(&x->heap) > 0) {
    const uint32_t q = heap_first(&x->heap);
    heap_remove(&x->heap, q);
    for (size_t i = g->first[q]; i < g->first[q + 1]; i++)
      offer(x, g->edge[i].to, q);
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
  for (size_t i = 0; i < pairs; i++) {
    r->next[i] = ROUTING_NONE;
    r->rtt_ps[i] = FAR;
  }
  return OK;
}

enum status routing_new(struct routing *out, const struct adjacency *graph,
                        const struct processes *p, const uint64_t *rtt_ps, struct err *e)
{
  struct routing made;
  struct router x = {.r = &made, .graph = graph, .rtt_ps = rtt_ps != NULL ? rtt_ps : p->rtt_ps};
  if (alloc(&made, graph->n, e) != OK || heap_reserve(&x.heap, graph->n, e) != OK) {
    routing_clear(&made);
    return FAIL;
  }
  for (uint32_t to = 0; to < graph->n; to++)
    route_to(&x, to);
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

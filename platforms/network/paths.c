#include "platforms/network/paths.h"

#include <stdlib.h>

#include "common/mem.h"

/* Maximum size of the cached searches in bytes. */
enum { MOST_KEPT = 64 << 20 };

static void forget_searches(struct paths *p)
{
  for (uint32_t i = 0; i < p->searched.count; i++)
    free(p->search[i]);
  pairs_clear(&p->searched);
  p->kept = 0;
}

void paths_clear(struct paths *p)
{
  forget_searches(p);
  free(p->search);
  free(p->cost);
  heap_clear(&p->queue);
}

/* Runs Dijkstra's algorithm from a node and writes the predecessor of each node to @p before.  The
 * cost of a route is its number of links.  Ties are broken as in SimGrid's DijkstraZone: of the
 * nodes with equal cost, the lowest number comes first; of the predecessors with equal cost, the
 * first one found remains.  As in SimGrid, unreachable nodes have cost UINT64_MAX, and sums with it
 * overflow. */
static void search_predecessors(struct paths *p, const struct zone *z, uint32_t from,
                                uint32_t *before)
{
  for (uint32_t i = 0; i < z->nodes; i++) {
    p->cost[i] = i == from ? 0 : UINT64_MAX;
    heap_set(&p->queue, i, i == from ? 0 : UINT64_MAX - 1);
  }
  while (heap_count(&p->queue) > 0) {
    const uint32_t v = heap_first(&p->queue);
    heap_remove(&p->queue, v);
    for (uint32_t i = z->edge_first[v]; i < z->edge_first[v + 1]; i++) {
      const uint32_t u = z->edge_end[i];
      const uint64_t cost = p->cost[v] + p->n->route[z->edge[i]].links;
      if (cost >= p->cost[u])
        continue;
      before[u] = v;
      p->cost[u] = cost;
      heap_set(&p->queue, u, cost);
    }
  }
}

/* Finds a shortest path from node @p from to each node; the path to @p from itself is a cycle.
 * Among the shortest paths to a node it selects the path whose highest intermediate node has the
 * lowest number, and writes that number plus 1 to @p highest.  0: the path is a single route;
 * NETWORK_NONE: there is no path.  Floyd-Warshall finds the same path, because it last improves a
 * path in the round of its highest intermediate node. */
static void search_highest(struct paths *p, const struct zone *z, uint32_t from, uint32_t *highest)
{
  for (uint32_t i = 0; i < z->nodes; i++) {
    p->cost[i] = UINT64_MAX;
    highest[i] = NETWORK_NONE;
  }
  uint64_t cycle = UINT64_MAX;
  p->cost[from] = 0;
  heap_set(&p->queue, from, 0);
  while (heap_count(&p->queue) > 0) {
    const uint32_t v = heap_first(&p->queue);
    heap_remove(&p->queue, v);
    for (uint32_t i = z->edge_first[v]; i < z->edge_first[v + 1]; i++) {
      const uint32_t u = z->edge_end[i];
      const uint64_t cost = p->cost[v] + p->n->route[z->edge[i]].links;
      const uint32_t high = v == from ? 0 : highest[v] > v + 1 ? highest[v] : v + 1;
      uint64_t *best = u == from ? &cycle : &p->cost[u];
      if (cost > *best || (cost == *best && high >= highest[u]))
        continue;
      highest[u] = high;
      if (cost < *best && u != from)
        heap_set(&p->queue, u, cost);
      *best = cost;
    }
  }
}

/* Returns the result of the search from a node of a zone, and searches if the result is not in the
 * cache.  The next call may free it. */
static const uint32_t *search_from(struct paths *p, uint32_t zone, uint32_t node, struct err *e)
{
  const struct zone *z = &p->n->zone[zone];
  uint32_t pair = pairs_find(&p->searched, zone, node);
  if (pair != PAIRS_NONE)
    return p->search[pair];
  if (p->kept + z->nodes * sizeof(uint32_t) > MOST_KEPT)
    forget_searches(p);
  uint32_t *found = mem_array(z->nodes, sizeof *found, e);
  if (found == NULL || MEM_GROW(p->cost, p->cost_room, z->nodes, e) != OK ||
      heap_reserve(&p->queue, z->nodes, e) != OK ||
      MEM_GROW(p->search, p->search_room, (size_t)p->searched.count + 1, e) != OK ||
      pairs_add(&p->searched, zone, node, &pair, e) != OK) {
    free(found);
    return NULL;
  }
  p->search[pair] = found;
  p->kept += z->nodes * sizeof *found;
  if (z->routing == ROUTING_FLOYD)
    search_highest(p, z, node, found);
  else
    search_predecessors(p, z, node, found);
  return found;
}

enum status paths_before(struct paths *p, uint32_t zone, uint32_t from, uint32_t to, uint32_t *out,
                         struct err *e)
{
  const bool floyd = p->n->zone[zone].routing == ROUTING_FLOYD;
  const uint32_t *found = search_from(p, zone, from, e);
  while (floyd && found != NULL && found[to] != 0 && found[to] != NETWORK_NONE) {
    from = found[to] - 1;
    found = search_from(p, zone, from, e);
  }
  if (found == NULL)
    return FAIL;
  *out = floyd && found[to] == 0 ? from : found[to];
  return OK;
}

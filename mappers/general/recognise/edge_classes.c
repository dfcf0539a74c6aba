#include "mappers/general/recognise/edge_classes.h"

#include <string.h>

#include "common/containers/union_find.h"

void edge_classes_list(struct edge_classes *p)
{
  const struct graph *g = p->g;
  uint32_t n = 0;
  for (uint32_t v = 0; v < g->n; v++) {
    p->first[v] = n;
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
      p->to[n] = g->to[a];
      p->of[n] = p->edge[a];
      n += p->in[p->edge[a]];
    }
  }
  p->first[g->n] = n;
}

/* Rows are sorted: the tasks above @p v are at the end of a row. */
uint32_t edge_classes_count(struct edge_classes *p, uint32_t v)
{
  uint32_t n = 0;
  for (uint32_t a = p->first[v]; a < p->first[v + 1]; a++) {
    const uint32_t from = p->first[p->to[a]], to = p->first[p->to[a] + 1];
    if (to - from > EDGE_CLASSES_HUB)
      continue;
    for (uint32_t b = to; b > from && p->to[b - 1] > v; b--) {
      const uint32_t w = p->to[b - 1], count = p->count[w];
      uint32_t *path = p->path[w][count < 2 ? count : 2];
      p->touched[n] = w;
      n += count == 0;
      path[0] = p->of[a];
      path[1] = p->of[b - 1];
      p->count[w] = count + 1;
    }
  }
  return n;
}

void edge_classes_forget(struct edge_classes *p, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    p->count[p->touched[i]] = 0;
}

/* Unites the opposite edges of each parallelogram.  Two paths of two edges between tasks v and w
 * form a parallelogram if there is no third path. */
static void unite_opposite(struct edge_classes *p)
{
  for (uint32_t v = 0; v < p->g->n; v++) {
    const uint32_t n = edge_classes_count(p, v);
    for (uint32_t i = 0; i < n; i++) {
      const uint32_t w = p->touched[i];
      if (p->count[w] != 2)
        continue;
      const uint32_t v1 = p->path[w][0][0], w1 = p->path[w][0][1];
      const uint32_t v2 = p->path[w][1][0], w2 = p->path[w][1][1];
      union_find_unite(p->class, v1, w2);
      union_find_unite(p->class, v2, w1);
      p->marked[v1] = p->marked[v2] = p->marked[w1] = p->marked[w2] = 1;
    }
    edge_classes_forget(p, n);
  }
}

void edge_classes_find(struct edge_classes *p)
{
  edge_classes_list(p);
  memset(p->marked, 0, p->edges);
  p->classes = 0;
  union_find_reset(p->class, p->edges);
  unite_opposite(p);
  for (uint32_t i = 0; i < p->edges; i++)
    if (p->marked[i] && union_find_root(p->class, i) == i)
      p->size[i] = p->classes++;
  for (uint32_t i = p->edges; i-- > 0;) /* a root is the lowest edge of its class */
    p->class[i] = p->marked[i] ? p->size[union_find_root(p->class, i)] : UINT32_MAX;
  memset(p->size, 0, p->edges * sizeof *p->size);
  for (uint32_t i = 0; i < p->edges; i++)
    if (p->class[i] != UINT32_MAX)
      p->size[p->class[i]]++;
}

/* Numbers the edges in the order of their lower tasks.  Rows are sorted, so the reverse arcs in a
 * row come in the same order. */
static void number_edges(struct edge_classes *p)
{
  const struct graph *g = p->g;
  uint32_t *next = p->touched;
  memcpy(next, g->first, g->n * sizeof *next);
  for (uint32_t v = 0; v < g->n; v++)
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
      if (g->to[a] > v) {
        p->edge[a] = p->edges;
        p->edge[next[g->to[a]]++] = p->edges++;
      }
}

enum status edge_classes_new(struct edge_classes *p, const struct graph *g, struct arena *mem)
{
  const size_t n = g->n, edges = g->first[n] / 2;
  *p = (struct edge_classes){.g = g,
                             .edge = arena_array(mem, 2 * edges, sizeof *p->edge),
                             .in = arena_array(mem, edges, sizeof *p->in),
                             .first = arena_array(mem, n + 1, sizeof *p->first),
                             .to = arena_array(mem, 2 * edges + 1, sizeof *p->to),
                             .of = arena_array(mem, 2 * edges + 1, sizeof *p->of),
                             .marked = arena_array(mem, edges, sizeof *p->marked),
                             .class = arena_array(mem, edges, sizeof *p->class),
                             .size = arena_array(mem, edges, sizeof *p->size),
                             .count = arena_array(mem, n, sizeof *p->count),
                             .touched = arena_array(mem, n + 1, sizeof *p->touched),
                             .path = arena_array(mem, n, sizeof *p->path)};
  if (arena_status(mem) == OK)
    number_edges(p);
  return arena_status(mem);
}

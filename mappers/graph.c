#include "mappers/general/graph.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

enum status graph_alloc(struct graph *g, uint32_t n, uint64_t arcs, struct err *e)
{
  *g = (struct graph){.n = n};
  if (arcs >= UINT32_MAX)
    return err_set(e, "more than %u pairs of ranks", UINT32_MAX / 2);
  if ((g->first = mem_array((size_t)n + 1, sizeof *g->first, e)) != NULL &&
      (g->to = mem_array(arcs, sizeof *g->to, e)) != NULL &&
      (g->weight = mem_array(arcs, sizeof *g->weight, e)) != NULL)
    return OK;
  graph_clear(g);
  return FAIL;
}

void graph_clear(struct graph *g)
{
  free(g->first);
  free(g->to);
  free(g->weight);
  *g = (struct graph){0};
}

/* The largest number of bytes of a rank. */
static double heaviest(const struct partners *p)
{
  double most = 0;
  for (uint32_t r = 0; r < p->ranks; r++) {
    double sum = 0;
    for (size_t i = p->first[r]; i < p->first[r + 1]; i++)
      sum += (double)p->partner[i].bytes;
    most = sum > most ? sum : most;
  }
  return most;
}

enum status graph_new(struct graph *g, const struct partners *p, struct err *e)
{
  const size_t arcs = p->first[p->ranks];
  const double most = heaviest(p);
  const double scale = most > GRAPH_MOST_WEIGHT ? GRAPH_MOST_WEIGHT / most : 1;
  if (graph_alloc(g, p->ranks, arcs, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r <= p->ranks; r++)
    g->first[r] = (uint32_t)p->first[r];
  for (size_t i = 0; i < arcs; i++) {
    const double w = (double)p->partner[i].bytes * scale;
    g->to[i] = p->partner[i].rank;
    g->weight[i] = w < 1 ? 1 : (uint32_t)w;
  }
  return OK;
}

enum status graph_part(struct graph *out, const struct graph *g, const struct graph_list *l,
                       uint32_t *index, struct err *e)
{
  const uint32_t *list = l->task, n = l->n;
  uint64_t arcs = 0;
  for (uint32_t i = 0; i < n; i++) {
    index[list[i]] = i;
    arcs += g->first[list[i] + 1] - g->first[list[i]];
  }
  const enum status s = graph_alloc(out, n, arcs, e);
  uint32_t at = 0;
  for (uint32_t i = 0; i < n && s == OK; i++) {
    for (uint32_t a = g->first[list[i]]; a < g->first[list[i] + 1]; a++) {
      if (index[g->to[a]] == UINT32_MAX)
        continue;
      out->to[at] = index[g->to[a]];
      out->weight[at++] = g->weight[a];
    }
    out->first[i + 1] = at;
  }
  for (uint32_t i = 0; i < n; i++)
    index[list[i]] = UINT32_MAX;
  return s;
}

uint32_t graph_components(const struct graph *g, uint32_t *part, uint32_t *queue)
{
  uint32_t parts = 0;
  memset(part, 0xff, (size_t)g->n * sizeof *part);
  for (uint32_t v = 0; v < g->n; v++) {
    uint32_t count = 1;
    if (part[v] != UINT32_MAX)
      continue;
    part[v] = parts;
    queue[0] = v;
    for (uint32_t i = 0; i < count; i++)
      for (uint32_t a = g->first[queue[i]]; a < g->first[queue[i] + 1]; a++)
        if (part[g->to[a]] == UINT32_MAX) {
          part[g->to[a]] = parts;
          queue[count++] = g->to[a];
        }
    parts++;
  }
  return parts;
}

uint64_t graph_weight(const struct graph *g)
{
  uint64_t sum = 0;
  for (uint32_t a = 0; a < g->first[g->n]; a++)
    sum += g->weight[a];
  return sum / 2;
}

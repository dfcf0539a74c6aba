/** @file graph_check.h
 *  Checks of the fuzzers of dependency graphs: dependences point forward, each node waits for the
 *  number of nodes that it says, and reading twice gives the same actions.
 */
#pragma once

#include <stdlib.h>

#include "traces/files/spool.h"
#include "traces/graph/graph.h"
#include "traces/trace.h"

static inline void graph_check(const struct graph *g)
{
  uint32_t *needs = calloc(g->nodes + (size_t)1, sizeof *needs);
  if (needs == NULL)
    abort();
  for (uint32_t i = 0; i < g->nodes; i++) {
    const struct graph_node *n = &g->node[i];
    if (n->first > n->middle || n->middle > n[1].first || n->stream >= g->streams)
      abort();
    for (uint32_t k = n->first; k < n[1].first; k++) {
      if (g->target[k] <= i || g->target[k] >= g->nodes)
        abort();
      needs[g->target[k]]++;
    }
  }
  for (uint32_t i = 0; i < g->nodes; i++)
    if (needs[i] != g->node[i].needs)
      abort();
  free(needs);
}

static inline uint64_t graph_check_actions(struct trace *t)
{
  uint64_t sum = 0;
  for (uint32_t r = 0; r < trace_ranks(t); r++) {
    const struct action *a;
    struct err e = {{0}};
    while (trace_next(t, r, &a, &e) == OK && a != NULL)
      sum = sum * 31 + a->kind + (uint64_t)a->count + trace_line(t, r);
    for (const char *c = e.text; *c != '\0'; c++)
      sum = sum * 31 + (uint64_t)*c;
  }
  return sum;
}

/** Opens the file as a trace of graphs and checks all ranks. */
static inline void graph_check_file(const char *path)
{
  struct trace *t;
  struct err e;
  if (trace_open(&t, path, SPOOL_LIMIT, &e) != OK)
    return;
  const uint64_t first = graph_check_actions(t);
  trace_rewind(t);
  if (graph_check_actions(t) != first)
    abort();
  for (uint32_t r = 0; trace_is_graph(t) && r < trace_ranks(t); r++) {
    struct graph g;
    if (trace_graph(t, r, &g, &e) != OK)
      continue;
    graph_check(&g);
    graph_clear(&g);
  }
  trace_free(t);
}

#include "traces/graph/graph_trace.h"

#include <stdlib.h>

#include "common/mem.h"

/* The position of a rank in its graph. */
struct graph_cursor {
  struct graph graph;
  bool loaded;
  uint32_t next;
  struct action action;
  struct graph_counts counts;
};

enum status graph_trace_init(struct graph_trace *t, struct err *e)
{
  t->cursor = mem_array(t->trace.ranks, sizeof *t->cursor, e);
  return t->cursor == NULL ? FAIL : OK;
}

static void reset(struct graph_cursor *c)
{
  graph_clear(&c->graph);
  free(c->counts.count);
  *c = (struct graph_cursor){.loaded = false};
}

void graph_trace_clear(struct graph_trace *t)
{
  for (uint32_t r = 0; t->cursor != NULL && r < t->trace.ranks; r++)
    reset(&t->cursor[r]);
  free(t->cursor);
}

void graph_trace_rewind(struct trace *t)
{
  for (uint32_t r = 0; r < t->ranks; r++)
    reset(&((struct graph_trace *)t)->cursor[r]);
}

/* At its end the graph is freed, but stays marked as loaded. */
enum status graph_trace_next(struct trace *t, uint32_t rank, const struct action **a, struct err *e)
{
  struct graph_cursor *c = &((struct graph_trace *)t)->cursor[rank];
  if (!c->loaded && t->format->graph(t, rank, &c->graph, e) != OK)
    return FAIL;
  c->loaded = true;
  if (c->next >= c->graph.nodes) {
    graph_clear(&c->graph);
    *a = NULL;
    return OK;
  }
  const struct graph_node *n = &c->graph.node[c->next];
  t->rank[rank].record = n->record;
  if (graph_action(n, rank, t->ranks, &c->counts, &c->action, e) != OK)
    return err_place(e, trace_file(t, rank), n->record);
  c->next++;
  *a = &c->action;
  return OK;
}

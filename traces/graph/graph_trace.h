/** @file graph_trace.h
 *  Private to traces/: the common part of the formats of dependency graphs.  Such a format loads
 *  the graph of one rank at a time (struct trace_format.graph); this file gives the nodes of the
 *  graph as the rank's actions.  Memory: one graph for each rank between its first and its last
 *  action.
 */
#pragma once

#include "traces/format.h"
#include "traces/graph/graph.h"

struct graph_cursor;

/** The struct of each format of graphs begins with it. */
struct graph_trace {
  struct trace trace;
  struct graph_cursor *cursor; /**< by rank; owned */
};

/** Prepares for trace.ranks ranks.  Call in open(). */
enum status graph_trace_init(struct graph_trace *t, struct err *e);

/** Frees the memory of graph_trace_init(), but not @p t.  Call in close(). */
void graph_trace_clear(struct graph_trace *t);

/** The functions next() and rewind() of the format. */
enum status graph_trace_next(struct trace *t, uint32_t rank, const struct action **a,
                             struct err *e);
void graph_trace_rewind(struct trace *t);

/** @file graph.h
 *  The traffic as an undirected graph of tasks in compressed rows.  An edge has the bytes that two
 *  tasks exchange, or a weight of 32 bits.  An edge is two arcs, one in the row of each of its
 *  ends.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/arena.h"
#include "traces/matrix/matrix.h"

/** The arrays belong to an arena. */
struct graph {
  uint32_t n;
  uint32_t *first;  /**< task v has the arcs first[v] to first[v + 1] - 1 */
  uint32_t *to;     /**< by arc: its end; ascending within a row if this file has built the graph */
  uint64_t *bytes;  /**< by arc, > 0: the sum of both directions; NULL in a graph with weights */
  uint32_t *weight; /**< by arc, > 0; NULL in a graph with bytes */
};

/** Limit of the sum of the weights of a task after scaling, before weights are rounded up to 1. */
#define GRAPH_MOST_WEIGHT (1u << 22)

/** True if the entry makes edges: it has bytes between different ranks. */
static inline bool graph_counts(const struct matrix_entry *x)
{
  return x->src != x->dst && x->bytes > 0;
}

/** Fails if the matrix names a rank that is not below @p ranks.  O(entries). */
enum status graph_check(const struct matrix *traffic, uint32_t ranks, struct err *e);

/** Builds a graph of @p n tasks whose edges have bytes.  Tasks from @p ranks on are idle; fails as
 *  graph_check().  Messages of a rank to itself and pairs without bytes are left out.  Time and
 *  memory are linear in tasks and entries. */
enum status graph_new(struct graph *g, const struct matrix *traffic, uint32_t ranks, uint32_t n,
                      struct arena *mem);

/** Contracts @p g, whose edges have bytes: tasks with equal part[v] become one task.  The bytes of
 *  an edge are the sum over the tasks of both parts.  Time and memory are linear in @p g. */
enum status graph_contract(struct graph *out, const struct graph *g, const uint32_t *part,
                           uint32_t parts, struct arena *mem);

/** Builds a graph with weights from one with bytes: divides all bytes by one number, so that
 *  the weights of a task sum up to at most GRAPH_MOST_WEIGHT.  Then rounds weights below 1 up to
 *  1. */
enum status graph_scale(struct graph *out, const struct graph *g, struct arena *mem);

/** Allocates a graph of @p n tasks and @p arcs arcs, with weights. */
enum status graph_alloc(struct graph *g, uint32_t n, uint64_t arcs, struct arena *mem);

/** A subset of the tasks of a graph, in ascending order. */
struct graph_list {
  const uint32_t *task;
  uint32_t n;
};

/** Builds the subgraph of the listed tasks of a graph with weights, numbered by their places in the
 *  list.  @p index: scratch, an entry per task of @p g, all UINT32_MAX before and after. */
enum status graph_part(struct graph *out, const struct graph *g, const struct graph_list *list,
                       uint32_t *index, struct arena *mem);

/** Writes the number of each task's connected component to part[].  Returns the number of
 *  components, which are numbered in the order of their lowest tasks.  @p queue: scratch, an entry
 *  per task. */
uint32_t graph_components(const struct graph *g, uint32_t *part, uint32_t *queue);

/** The sum of the weights of all edges. */
uint64_t graph_weight(const struct graph *g);

/** Threshold of pattern recognition, which ignores lighter edges: 3 % of the heaviest weight. */
double graph_threshold(const struct graph *g);

/** The number of arcs of a task. */
static inline uint32_t graph_degree(const struct graph *g, uint32_t v)
{
  return g->first[v + 1] - g->first[v];
}

/** @file graph.h
 *  The tasks as an undirected graph with weights of 32 bits.  All general mappers use it.  An edge
 *  is two arcs, one in the row of each of its ends.
 */
#ifndef MAPPERS_GENERAL_GRAPH_H
#define MAPPERS_GENERAL_GRAPH_H

#include <stdint.h>

#include "common/err.h"
#include "mappers/partners.h"

struct graph {
  uint32_t n;
  uint32_t *first;  /**< task v has the arcs first[v] to first[v + 1] - 1; owned, as all arrays */
  uint32_t *to;     /**< by arc: its end; rising within a row */
  uint32_t *weight; /**< by arc, > 0 */
};

/** Limit of the sum of the weights of a task, after scaling. */
#define GRAPH_MOST_WEIGHT (1u << 22)

/** Divides all bytes by one number, so that the weights of a task sum up to at most
 *  GRAPH_MOST_WEIGHT.  Weights are at least 1.  The caller frees @p g with graph_clear(). */
enum status graph_new(struct graph *g, const struct partners *p, struct err *e);

/** Allocates @p n tasks and @p arcs arcs.  The caller frees @p g with graph_clear(). */
enum status graph_alloc(struct graph *g, uint32_t n, uint64_t arcs, struct err *e);

/** A subset of the tasks of a graph, in rising order. */
struct graph_list {
  const uint32_t *task;
  uint32_t n;
};

/** Builds the subgraph of the listed tasks, numbered by their places in the list.  @p index:
 *  scratch, an entry per task of @p g, all UINT32_MAX before and after.  The caller frees @p out
 *  with graph_clear(). */
enum status graph_part(struct graph *out, const struct graph *g, const struct graph_list *list,
                       uint32_t *index, struct err *e);

/** Accepts a zeroed struct. */
void graph_clear(struct graph *g);

/** Writes the number of each task's connected component to part[].  Returns the number of
 *  components, which are numbered by their lowest tasks.  @p queue: scratch, an entry per task. */
uint32_t graph_components(const struct graph *g, uint32_t *part, uint32_t *queue);

/** The sum of the weights of all edges. */
uint64_t graph_weight(const struct graph *g);

#endif

/** @file graph.h
 *  The tasks as an undirected graph with weights of 32 bits: what the general mappers search on.
 *  Each edge is in the rows of both of its ends.
 */
#ifndef MAPPERS_GENERAL_GRAPH_H
#define MAPPERS_GENERAL_GRAPH_H

#include <stdint.h>

#include "common/err.h"
#include "mappers/partners.h"

struct graph {
  uint32_t n;
  uint32_t *first;  /**< task v has the arcs first[v] to first[v + 1] - 1; owned, as the others */
  uint32_t *to;     /**< by arc, rising in a row */
  uint32_t *weight; /**< by arc, > 0 */
};

/** The largest sum of the weights of one task, after scaling. */
#define GRAPH_MOST_WEIGHT (1u << 22)

/** Bytes are divided by one number, so that no task has more than GRAPH_MOST_WEIGHT in all, but are
 *  at least 1.  On success @p g is the caller's: graph_clear(). */
enum status graph_new(struct graph *g, const struct partners *p, struct err *e);

/** Room for @p n tasks and @p arcs arcs.  As graph_new(). */
enum status graph_alloc(struct graph *g, uint32_t n, uint64_t arcs, struct err *e);

/** Some of a graph's tasks, rising. */
struct graph_list {
  const uint32_t *task;
  uint32_t n;
};

/** The graph on some tasks, numbered by their places in the list.  @p index: scratch, an entry
 *  a task of @p g, all UINT32_MAX before and after.  As graph_new(). */
enum status graph_part(struct graph *out, const struct graph *g, const struct graph_list *list,
                       uint32_t *index, struct err *e);

/** Accepts a zeroed one. */
void graph_clear(struct graph *g);

/** Writes the number of each task's connected component to part[], and returns how many there are;
 *  they are numbered by their first tasks.  @p queue: scratch, an entry a task. */
uint32_t graph_components(const struct graph *g, uint32_t *part, uint32_t *queue);

/** The sum of all weights, each edge once. */
uint64_t graph_weight(const struct graph *g);

#endif

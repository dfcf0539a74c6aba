/** @file parallel.h
 *  Classes of parallel edges: opposite edges of each parallelogram, which is two tasks with
 *  exactly two common neighbours, are of one class.
 */
#ifndef MAPPERS_GENERAL_PARALLEL_H
#define MAPPERS_GENERAL_PARALLEL_H

#include <stdbool.h>

#include "mappers/general/graph.h"

/** Edges of a task from which on it belongs to no grid. */
#define PARALLEL_HUB 512

struct parallel {
  const struct graph *g;
  uint32_t edges;
  uint32_t *edge;    /**< by arc: its edge; owned, as the following */
  uint8_t *in;       /**< by edge: the caller's choice of those that count; see parallel_list() */
  uint32_t *first;   /**< as the graph's rows, of edges that count only: task v has first[v] to
                          first[v + 1] - 1 of to[] and of[] */
  uint32_t *to, *of; /**< the task at the other end, and the edge */
  uint8_t *marked;   /**< by edge: it is in a parallelogram */
  uint32_t *class;   /**< by edge: its class; UINT32_MAX if it is in no parallelogram */
  uint32_t classes;
  uint32_t *size;         /**< by class */
  uint32_t *count;        /**< by task: common neighbours with another; 0 outside of a count */
  uint32_t *touched;      /**< by task: room */
  uint32_t (*path)[3][2]; /**< by task: the edges of its first two paths, and of another */
};

/** On success @p p is the caller's: parallel_clear(). */
enum status parallel_new(struct parallel *p, const struct graph *g, struct err *e);

/** Accepts a zeroed one. */
void parallel_clear(struct parallel *p);

/** Makes the rows of the edges that count; to be called when in[] has changed. */
void parallel_list(struct parallel *p);

/** Finds the classes of the edges that count, which it lists.  O(sum of squared degrees). */
void parallel_find(struct parallel *p);

/** Counts the paths of two edges that count from @p v to tasks above it, which are listed in
 *  touched[]; returns their number.  Paths through a task of more than PARALLEL_HUB edges count for
 *  nothing.  parallel_forget() ends the count. */
uint32_t parallel_count(struct parallel *p, uint32_t v);
void parallel_forget(struct parallel *p, uint32_t n);

/** Union-find: the root of an element is its lowest. */
uint32_t parallel_root(uint32_t *parent, uint32_t v);
void parallel_unite(uint32_t *parent, uint32_t a, uint32_t b);

#endif

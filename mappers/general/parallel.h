/** @file parallel.h
 *  Classes of parallel edges: opposite edges of each parallelogram, which is two tasks with
 *  exactly two common neighbours, are of one class.
 */
#ifndef MAPPERS_GENERAL_PARALLEL_H
#define MAPPERS_GENERAL_PARALLEL_H

#include <stdbool.h>

#include "mappers/general/graph.h"

struct parallel {
  const struct graph *g;
  uint32_t edges;
  uint32_t *edge;  /**< by arc: its edge; owned, as the following */
  uint8_t *in;     /**< by edge: the caller's choice of those that count */
  uint8_t *marked; /**< by edge: it is in a parallelogram */
  uint32_t *class; /**< by edge: its class; UINT32_MAX if it is in no parallelogram */
  uint32_t classes;
  uint32_t *size;         /**< by class */
  uint32_t *count;        /**< by task: common neighbours with another; 0 outside of a count */
  uint32_t *touched;      /**< by task: room */
  uint32_t (*path)[2][2]; /**< by task: the arcs of its first two paths */
};

/** On success @p p is the caller's: parallel_clear(). */
enum status parallel_new(struct parallel *p, const struct graph *g, struct err *e);

/** Accepts a zeroed one. */
void parallel_clear(struct parallel *p);

/** Finds the classes of the edges that count.  O(sum of squared degrees). */
void parallel_find(struct parallel *p);

/** Counts the paths of two edges that count from @p v to tasks above it, which are listed in
 *  touched[]; returns their number.  parallel_forget() ends the count. */
uint32_t parallel_count(struct parallel *p, uint32_t v);
void parallel_forget(struct parallel *p, uint32_t n);

/** Union-find: the root of an element is its lowest. */
uint32_t parallel_root(uint32_t *parent, uint32_t v);
void parallel_unite(uint32_t *parent, uint32_t a, uint32_t b);

#endif

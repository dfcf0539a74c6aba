/** @file edge_classes.h
 *  Classes of parallel edges.  Two tasks with exactly two common neighbours form a parallelogram
 *  with them; its opposite edges are of one class.
 */
#pragma once

#include "mappers/graph.h"

/** A task with more edges than this belongs to no grid: paths through it do not count. */
#define EDGE_CLASSES_HUB 512

struct edge_classes {
  const struct graph *g;
  uint32_t edges;
  uint32_t *edge;    /**< by arc: its edge */
  uint8_t *in;       /**< by edge: 1 if the caller has selected it; see edge_classes_list() */
  uint32_t *first;   /**< rows of the selected edges: task v has the entries first[v] to first[v +
                          1] - 1 of to[] and of[] */
  uint32_t *to, *of; /**< other end, and edge */
  uint8_t *marked;   /**< by edge: it is in a parallelogram */
  uint32_t *class;   /**< by edge: its class; UINT32_MAX if it is in no parallelogram */
  uint32_t classes;
  uint32_t *size;         /**< by class: number of edges */
  uint32_t *count;        /**< by task: paths of two edges to it; 0 outside of a count */
  uint32_t *touched;      /**< tasks with a count above 0 */
  uint32_t (*path)[3][2]; /**< by task: the edges of the first two paths, and of the latest */
};

/** Numbers the edges.  Fails also if an earlier request of the arena has failed. */
enum status edge_classes_new(struct edge_classes *p, const struct graph *g, struct arena *mem);

/** Builds the rows of the selected edges.  Call it after changes of in[]. */
void edge_classes_list(struct edge_classes *p);

/** Lists the selected edges and finds their classes.  O(sum of squared degrees). */
void edge_classes_find(struct edge_classes *p);

/** Counts the paths of two selected edges from @p v to tasks with higher numbers.  Lists these
 *  tasks in touched[] and returns their number.  Ignores paths through a task of more than
 *  EDGE_CLASSES_HUB edges.  edge_classes_forget() clears the counts. */
uint32_t edge_classes_count(struct edge_classes *p, uint32_t v);
void edge_classes_forget(struct edge_classes *p, uint32_t n);

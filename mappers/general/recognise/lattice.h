/** @file lattice.h
 *  Coordinates of tasks that form a grid with faults: some edges are missing, and some lead to
 *  random tasks.  The lattice grows from a task without faults near it: each task gets its
 *  coordinates from its neighbours, so that a fault affects only the tasks near it.
 */
#pragma once

#include "mappers/general/recognise/edge_classes.h"
#include "mappers/general/recognise/fold.h"

struct lattice {
  const struct edge_classes *p;
  uint32_t naxes;
  int32_t (*at)[FOLD_MOST_AXES]; /**< by placed task: its coordinates */
  uint8_t *is_placed;
  uint32_t *table; /**< hash table of coordinates: task + 1; 0: free */
  uint32_t mask;   /**< size of the table - 1 */
  uint32_t *queue; /**< tasks that may be placed next, with duplicates */
  uint32_t *rim;   /**< placed tasks that may have unplaced neighbours, in order */
  uint32_t rim_count, placed;
  uint32_t straight, skew; /**< numbers of edges between placed tasks: of one step, and of two or
                                three steps */
  uint32_t *steps;         /**< by length: number of edges along one axis */
};

/** Allocates a lattice for the edges of @p p. */
enum status lattice_new(struct lattice *l, const struct edge_classes *p, struct arena *mem);

/** Searches for coordinates of all tasks by the selected edges; requires edge_classes_list().  Sets
 *  @p shape, of at most @p most cells, and FOLD_MOST_AXES numbers per task in @p at; no two tasks
 *  have equal coordinates.  The shape has no axes if no coordinates make most edges one step long.
 *  @p cells: scratch, room for @p most entries.  O(n d^5) for n tasks and d axes. */
void lattice_find(struct lattice *l, uint64_t most, uint32_t *cells, struct fold_shape *shape,
                  uint32_t *at);

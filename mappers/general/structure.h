/** @file structure.h
 *  Coordinates of tasks whose graph is, or nearly is, a product of paths and cycles: a stencil.
 *  Opposite edges of parallelograms have one direction; each direction is an axis.
 */
#ifndef MAPPERS_GENERAL_STRUCTURE_H
#define MAPPERS_GENERAL_STRUCTURE_H

#include "mappers/general/cooling.h"
#include "mappers/general/fold.h"
#include "mappers/general/placement.h"

struct structure {
  struct fold_shape shape; /**< no axes: the graph has none that is found */
  uint32_t *at;            /**< coordinates: naxes of each task, no two alike; owned */
};

/** Looks for the coordinates of a connected graph.  O(sum of squared degrees).  The caller's:
 *  structure_clear(). */
enum status structure_find(struct structure *s, const struct graph *g, struct err *e);

/** Accepts a zeroed one. */
void structure_clear(struct structure *s);

/** Improves a placement on a grid of a graph with that structure: folded onto the machine, or,
 *  where its sides do not divide, cut into its boxes.  @p bend: how the best folds are annealed by
 *  rows of hosts; NULL: not at all. */
enum status structure_map(const struct structure *s, struct placement *p,
                          const struct anneal_plan *bend, struct err *e);

#endif

/** @file structure.h
 *  Coordinates of tasks that form a product of paths and cycles, or nearly one: a stencil.
 *  Opposite edges of parallelograms have the same direction, and each direction is an axis.
 */
#pragma once

#include "mappers/general/placement.h"
#include "mappers/general/recognise/fold.h"

struct structure {
  struct fold_shape shape; /**< no axes: no structure was found */
  uint32_t *at;            /**< coordinates: FOLD_MOST_AXES per task, the first naxes used; no two
                                tasks have equal coordinates */
};

/** Searches for the coordinates of a connected graph.  O(sum of squared degrees). */
enum status structure_find(struct structure *s, const struct graph *g, struct arena *mem);

/** Improves a placement of a graph with this structure on a grid, or leaves it unchanged.  Folds
 *  the structure onto the grid; if there is no fold, or several ranks per host, cuts it into boxes.
 */
enum status structure_map(const struct structure *s, struct placement *p, struct err *e);

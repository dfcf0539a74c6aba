/** @file geometry.h
 *  Maps a graph onto a grid by coordinates of its tasks in space.
 */
#ifndef MAPPERS_GENERAL_RECOGNISE_GEOMETRY_H
#define MAPPERS_GENERAL_RECOGNISE_GEOMETRY_H

#include "mappers/general/placement.h"

struct geometry_plan {
  uint32_t pivots; /**< see mds.h */
  double most;     /**< share of the hops of a random placement above which the graph has no
                        geometry and smoothed coordinates are not tried */
};

/** Improves a placement on a grid.  Takes the best of several ways to cut pivot-MDS coordinates
 *  into boxes of the machine.  O((pivots + log tasks) * (tasks + arcs)). */
enum status geometry_map(struct placement *p, const struct geometry_plan *plan, struct err *e);

#endif

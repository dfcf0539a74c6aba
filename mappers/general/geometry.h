/** @file geometry.h
 *  Mapping onto a grid by coordinates of the tasks in space.
 */
#ifndef MAPPERS_GENERAL_GEOMETRY_H
#define MAPPERS_GENERAL_GEOMETRY_H

#include "mappers/general/placement.h"

struct geometry_plan {
  uint32_t pivots;    /**< see mds.h */
  double least, most; /**< shares of random placement's hops between which coordinates are also
                           smoothed: below it, they are good; above it, the graph is in no space */
};

/** Improves a placement on a grid by the best of several ways to cut pivot-MDS coordinates into the
 *  machine's boxes.  O((pivots + log tasks) * (tasks + arcs)). */
enum status geometry_map(struct placement *p, const struct geometry_plan *plan, struct err *e);

#endif

/** @file geometry.h
 *  Mapping onto a grid by coordinates of the tasks in space.
 */
#ifndef MAPPERS_GENERAL_GEOMETRY_H
#define MAPPERS_GENERAL_GEOMETRY_H

#include "mappers/general/placement.h"

/** Improves a placement on a grid by the best of several ways to cut pivot-MDS coordinates into the
 *  machine's boxes.  @p pivots: see mds.h.  O((pivots + log tasks) * (tasks + arcs)). */
enum status geometry_map(struct placement *p, uint32_t pivots, struct err *e);

#endif

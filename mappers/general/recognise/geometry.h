/** @file geometry.h
 *  Maps a graph onto a grid by coordinates of its tasks in space.
 */
#ifndef MAPPERS_GENERAL_RECOGNISE_GEOMETRY_H
#define MAPPERS_GENERAL_RECOGNISE_GEOMETRY_H

#include "mappers/general/placement.h"

/** Improves a placement on a grid.  Takes the best of several ways to cut pivot-MDS coordinates
 *  into boxes of the machine.  @p pivots: see mds.h.  O((pivots + log tasks) * (tasks + arcs)). */
enum status geometry_map(struct placement *p, uint32_t pivots, struct err *e);

#endif

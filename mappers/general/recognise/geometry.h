/** @file geometry.h
 *  Maps a graph onto a grid by coordinates of its tasks in space.
 */
#pragma once

#include "mappers/general/placement.h"

/** Improves a placement on a grid, or leaves it unchanged.  Tries several ways to cut coordinates
 *  by pivot MDS into boxes of the machine.  @p pivots: see mds.h. O((pivots + log tasks) * (tasks +
 *  arcs)). */
enum status geometry_map(struct placement *p, uint32_t pivots, struct err *e);

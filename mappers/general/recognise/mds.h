/** @file mds.h
 *  Coordinates of tasks in space from the lengths of paths between them: pivot MDS (Brandes and
 *  Pich, "Eigensolver methods for progressive multidimensional scaling of large data", 2006).
 */
#pragma once

#include "mappers/graph.h"

/** Number of components; components without extent are 0. */
enum { MDS_COMPONENTS = 6 };

/** Writes MDS_COMPONENTS coordinates of each task to x[], by falling extent.  Measures paths from
 *  @p pivots tasks, at most 64, the first of which is @p first.  Ignores arcs with drop[arc] set.
 *  Unreachable tasks count as far away.  O(pivots * (arcs + pivots * tasks)). */
enum status mds_compute(const struct graph *g, const uint8_t *drop, uint32_t pivots, uint32_t first,
                        double *x, struct err *e);

/** Moves each task half of the way to the centre of its partners, @p steps times.  Ignores arcs
 *  with drop[arc] set.  @p room: scratch of the size of x[]. */
void mds_smooth(const struct graph *g, const uint8_t *drop, uint32_t steps, double *x,
                double *room);

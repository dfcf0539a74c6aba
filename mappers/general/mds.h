/** @file mds.h
 *  Coordinates of tasks in space by the lengths of the paths between them: pivot MDS (Brandes and
 *  Pich, "Eigensolver methods for progressive multidimensional scaling of large data", 2006).
 */
#ifndef MAPPERS_GENERAL_MDS_H
#define MAPPERS_GENERAL_MDS_H

#include "mappers/general/graph.h"

/** Components; those of less than nothing are 0. */
enum { MDS_COMPONENTS = 6 };

/** Writes MDS_COMPONENTS coordinates of each task to x[], by falling extent, from the paths from @p
 *  pivots tasks, the first of which is @p first.  Edges with drop[arc] are none.  Tasks out of
 *  reach are far away.  O(pivots * (arcs + pivots * tasks)). */
enum status mds_compute(const struct graph *g, const uint8_t *drop, uint32_t pivots, uint32_t first,
                        double *x, struct err *e);

/** Moves each task half of the way to the middle of its partners, @p steps times.  @p room: as many
 *  numbers as x[]. */
void mds_smooth(const struct graph *g, const uint8_t *drop, uint32_t steps, double *x,
                double *room);

#endif

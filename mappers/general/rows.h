/** @file rows.h
 *  Annealing of whole rows of hosts: the tasks on a line of hosts along one axis go elsewhere
 *  together and keep their coordinates on it.  What a stencil's fold puts along that axis stays so,
 *  while the rest of the fold is bent.
 */
#ifndef MAPPERS_GENERAL_ROWS_H
#define MAPPERS_GENERAL_ROWS_H

#include "mappers/general/cooling.h"
#include "mappers/general/placement.h"

/** Improves a placement on a grid with one slot a host, if that is found, by the rows along each
 *  axis in turn.  The plan is for each row as it is for each task in anneal_grid().  For each axis
 *  O(arcs + work * rows). */
enum status rows_anneal(struct placement *p, const struct anneal_plan *plan, struct err *e);

#endif

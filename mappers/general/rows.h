/** @file rows.h
 *  Annealing of whole rows of hosts: the tasks on a line of hosts along one axis go elsewhere
 *  together and keep their coordinates on it.  A fold of one axis of a stencil onto an axis of
 * hosts is kept so while those of the others are bent.
 */
#ifndef MAPPERS_GENERAL_ROWS_H
#define MAPPERS_GENERAL_ROWS_H

#include "mappers/general/cooling.h"
#include "mappers/general/placement.h"

/** Improves a placement on a grid with one slot a host, if that is found, by the rows along each
 *  axis in turn.  The plan is for each row as it is for each task in anneal_grid().  O(arcs + work
 * * rows) for each axis. */
enum status rows_anneal(struct placement *p, const struct anneal_plan *plan, struct err *e);

#endif

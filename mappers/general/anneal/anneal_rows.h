/** @file anneal_rows.h
 *  Annealing of whole rows of hosts: the tasks on a line of hosts along one axis move together and
 *  keep their coordinates on this axis.  The fold of a stencil thus stays as it is along one axis,
 *  and the rest of the fold is bent.
 */
#ifndef MAPPERS_GENERAL_ANNEAL_ANNEAL_ROWS_H
#define MAPPERS_GENERAL_ANNEAL_ANNEAL_ROWS_H

#include "mappers/anneal.h"
#include "mappers/general/placement.h"

/** Improves a placement on a grid with one slot per host by the rows along each axis in turn, or
 *  leaves it unchanged.  The plan applies to rows as it applies to tasks in anneal_grid().  O(arcs
 *  + work * rows) per axis. */
enum status rows_anneal(struct placement *p, const struct anneal_plan *plan, struct err *e);

#endif

/** @file anneal_grid.h
 *  Simulated annealing of a placement on a grid.  It swaps tasks of hosts that are one step apart
 *  on one, two or three axes, with the change of hop-bytes in O(1) from cached gains, and it moves
 *  tasks beside their partners.
 */
#ifndef MAPPERS_GENERAL_ANNEAL_ANNEAL_GRID_H
#define MAPPERS_GENERAL_ANNEAL_ANNEAL_GRID_H

#include "mappers/anneal.h"
#include "mappers/general/placement.h"

/** Improves a placement on a grid, or leaves it unchanged.  Does nothing if a side is longer than
 *  32,767.  O(work * tasks).  The plan's work is in tests of a swap per task.  An exchange counts
 *  as five tests per partner of a task, so that the run time hardly depends on the heat. */
enum status anneal_grid(struct placement *p, const struct anneal_plan *plan, struct err *e);

#endif

/** @file anneal_grid.h
 *  Simulated annealing of a mapping on a grid: swaps of the tasks of hosts that are one step apart
 *  on one axis, two or three, of which cached gains give the change of hop-bytes in O(1), and moves
 *  of tasks beside their partners.
 */
#ifndef MAPPERS_GENERAL_ANNEAL_GRID_H
#define MAPPERS_GENERAL_ANNEAL_GRID_H

#include "mappers/general/cooling.h"
#include "mappers/general/placement.h"

/** Improves a placement on a grid, if that is found.  Does nothing where a side is longer than
 *  32,767.  O(work * tasks); the plan's work is in tests of a swap per task, and an exchange counts
 *  as five for each partner of a task, so that time hardly depends on the heat. */
enum status anneal_grid(struct placement *p, const struct anneal_plan *plan, struct err *e);

#endif

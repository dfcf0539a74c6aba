/** @file anneal_grid.h
 *  Simulated annealing of a mapping on a grid: swaps of neighbouring hosts' tasks, of which cached
 *  gains give the change of hop-bytes in O(1), and moves of tasks beside their partners.
 */
#ifndef MAPPERS_GENERAL_ANNEAL_GRID_H
#define MAPPERS_GENERAL_ANNEAL_GRID_H

#include "mappers/general/cooling.h"
#include "mappers/general/placement.h"

/** Improves a placement on a grid, if that is found.  Does nothing where a side is longer than
 *  32,767, or all together than 65,535.  O(sweeps * tasks), and the degree of the tasks that move.
 */
enum status anneal_grid(struct placement *p, const struct anneal_plan *plan, struct err *e);

#endif

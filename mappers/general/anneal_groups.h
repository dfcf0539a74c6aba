/** @file anneal_groups.h
 *  Simulated annealing of a mapping on a machine that is no grid: swaps of a task with what is near
 *  one of its partners.
 */
#ifndef MAPPERS_GENERAL_ANNEAL_GROUPS_H
#define MAPPERS_GENERAL_ANNEAL_GROUPS_H

#include "mappers/general/cooling.h"
#include "mappers/general/placement.h"

/** As anneal_grid(), the work in sweeps over the tasks.  O(work * arcs). */
enum status anneal_groups(struct placement *p, const struct anneal_plan *plan, struct err *e);

#endif

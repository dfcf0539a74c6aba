/** @file anneal_grid.h
 *  Simulated annealing of a placement on a grid.  It swaps tasks of hosts that are one step apart
 *  on one, two or three axes, where cached gains give the change of hop-bytes in O(1), and it moves
 *  tasks beside their partners.
 */
#pragma once

#include "mappers/anneal.h"
#include "mappers/general/placement.h"

/** Improves a placement on a grid, or leaves it unchanged.  Does nothing if a side is longer than
 *  32,767.  The plan's work is in tests of a swap per task; an exchange counts as five tests per
 *  partner of a task, so that the run time hardly depends on the heat.  O(work * tasks). */
enum status anneal_grid(struct placement *p, const struct anneal_plan *plan, struct err *e);

/** @file anneal_groups.h
 *  Simulated annealing of a placement on a machine that is not a grid: exchanges of a task with the
 *  content of a slot near one of its partners.
 */
#pragma once

#include "mappers/anneal.h"
#include "mappers/general/placement.h"

/** Improves a placement, or leaves it unchanged.  The plan's work is in sweeps over the tasks.
 *  O(work * arcs). */
enum status anneal_groups(struct placement *p, const struct anneal_plan *plan, struct err *e);

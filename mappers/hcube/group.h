/** @file group.h
 *  Groups tasks if there are more tasks than hosts.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "common/numeric/rng.h"
#include "mappers/graph.h"

/** Writes the group of each task, 0..@p groups - 1, to @p group; a group has at most @p room tasks,
 *  and groups * room must be at least the number of tasks.  Starts with a group per task and merges
 *  pairs of groups by maximum-weight matchings, the heaviest pairs first and no more than needed.
 *  If too many groups remain, the smallest are dissolved and their tasks assigned one by one.  Ties
 *  between matchings are broken by ties_grown(), or, if @p rng is NULL, by ties_first(). */
enum status group_tasks(const struct graph *graph, uint32_t groups, uint32_t room, struct rng *rng,
                        uint32_t *group, struct err *e);

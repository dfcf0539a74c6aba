/** @file group.h
 *  Groups tasks if there are more tasks than hosts.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "common/numeric/rng.h"
#include "mappers/graph.h"

/** Assigns each task to one of @p groups groups of at most @p room tasks, and writes the group to
 *  @p group.  Pairs of groups are merged by maximum-weight matchings, the heaviest pairs first and
 *  no more than needed.  If too many groups remain, the smallest are dissolved and their tasks
 *  assigned one by one.  groups * room must be at least the number of tasks.  Ties between
 *  matchings are broken by ties_grown(), or, if @p rng is NULL, by ties_first(). */
enum status group_tasks(const struct graph *graph, uint32_t groups, uint32_t room, struct rng *rng,
                        uint32_t *group, struct err *e);

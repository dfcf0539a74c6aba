/** @file group.h
 *  Groups of tasks, where there are more than hosts, and the graph of the groups.
 */
#ifndef MAPPERS_HCUBE_GROUP_H
#define MAPPERS_HCUBE_GROUP_H

#include <stdint.h>

#include "common/err.h"
#include "common/rng.h"
#include "mappers/partners.h"

/** Writes to @p group, by task, one of @p groups groups of at most @p room tasks: pairs of groups
 *  are merged by matchings of greatest weight, the heaviest first and no more than needed; what
 *  does not fit then is handed out one by one.  groups * room is at least the number of tasks.
 *  Of equal matchings the one that ties_grown() finds is taken, or with @p rng NULL the first. */
enum status group_tasks(const struct partners *graph, uint32_t groups, uint32_t room,
                        struct rng *rng, uint32_t *group, struct err *e);

/** The graph of @p groups groups: the weights between their tasks added up.  The caller's:
 *  partners_clear(). */
enum status group_graph(const struct partners *graph, const uint32_t *group, uint32_t groups,
                        struct partners *out, struct err *e);

#endif

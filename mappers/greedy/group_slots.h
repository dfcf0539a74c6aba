/** @file group_slots.h
 *  slots.h for any platform with known routes.  Hosts that are alike (platform_groups()), for
 *  example the hosts of one switch, form a group with one distance to each other group.  A search
 *  considers only groups, and hosts that pull.
 */
#ifndef MAPPERS_GREEDY_GROUP_SLOTS_H
#define MAPPERS_GREEDY_GROUP_SLOTS_H

#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

struct group_slots;

/** As slots_new().  Memory: 12 bytes per host, and 8 bytes per pair of groups of which one has
 *  pulled. */
enum status group_slots_new(struct group_slots **out, const struct platform *p, uint32_t per_host,
                            struct err *e);

/** Accepts NULL. */
void group_slots_free(struct group_slots *s);

/** As slots_pull().  O(1); the first pull of a group takes O(groups) routes. */
enum status group_slots_pull(struct group_slots *s, uint32_t host, uint64_t weight, struct err *e);

/** As slots_take().  O(pulls * (groups + pulls)). */
uint32_t group_slots_take(struct group_slots *s);

#endif

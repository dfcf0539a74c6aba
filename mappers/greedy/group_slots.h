/** @file group_slots.h
 *  slots.h for any platform whose routes are known.  Hosts that the platform holds for alike
 *  (platform_groups()), such as those of one switch, form a group: one distance stands for all of
 *  them, so that a search looks at groups, and at the hosts that pull.
 */
#ifndef MAPPERS_GREEDY_GROUP_SLOTS_H
#define MAPPERS_GREEDY_GROUP_SLOTS_H

#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

struct group_slots;

/** As slots_new().  Memory: 8 bytes a host; later 8 bytes for each pair of groups of which one
 *  pulls. */
enum status group_slots_new(struct group_slots **out, const struct platform *p, uint32_t per_host,
                            struct err *e);

/** Accepts NULL. */
void group_slots_free(struct group_slots *s);

/** As slots_pull(); O(1), and O(groups) routes for the first pull of a group. */
enum status group_slots_pull(struct group_slots *s, uint32_t host, uint64_t weight, struct err *e);

/** As slots_take().  O(pulls * (groups + pulls)). */
uint32_t group_slots_take(struct group_slots *s);

#endif

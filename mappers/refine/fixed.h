/** @file fixed.h
 *  Links whose loads no mapping changes as a whole: with one rank per host, the cables of hosts
 *  carry all traffic of their ranks, wherever the ranks are.
 */
#ifndef MAPPERS_REFINE_FIXED_H
#define MAPPERS_REFINE_FIXED_H

#include "mappers/mapper.h"

/** Sets marks in @p fixed, by link id, for the cables of the hosts, and *found.  Sets none with
 *  several ranks per host, if a host has no cable of its own (platforms/host_groups.h), or if the
 *  cables have unequal bandwidths.  O(hosts) routes. */
enum status fixed_links(uint8_t *fixed, bool *found, const struct mapper_input *in, struct err *e);

#endif

/** @file fixed.h
 *  Links whose loads a mapping only permutes: with one rank per host, the cable of a host carries
 *  all traffic of its rank, whichever host the rank is on.
 */
#pragma once

#include "mappers/mapper.h"

/** Marks the cables of the hosts in @p fixed, by link id, and sets *found.  *found is false, and
 *  the marks are meaningless, with several ranks per host, if a host has no cable of its own
 *  (platforms/host_groups.h), or if the cables have unequal bandwidths.  O(hosts) routes. */
enum status fixed_links(uint8_t *fixed, bool *found, const struct mapper_input *in, struct err *e);

/** @file slots.h
 *  The free slots of a platform's hosts, and a search for the slot nearest to given hosts, for a
 *  mapper that places one rank after the other.
 *
 *  Distances are hops on a grid (grid_slots.h).  On other platforms they are latencies, the mean of
 *  both directions, and hops break ties.  A host has distance 0 to itself.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

struct slots;

/** All slots are free, @p per_host on each host, and there are no pulls.  @p p must not be opaque
 *  and must outlive *out.  Memory: a grid takes 6 bytes per host; other platforms take 16 bytes per
 *  host, and each group of alike hosts that has pulled takes 8 bytes per group.  The caller frees
 *  *out with slots_free(). */
enum status slots_new(struct slots **out, const struct platform *p, uint32_t per_host,
                      struct err *e);

/** Accepts NULL. */
void slots_free(struct slots *s);

/** Adds a pull: a unit of distance between @p host and the slot taken next costs @p weight.  On a
 *  grid, the weights of all pulls times the diameter must stay below 2^64.  O(dimensions) on a
 *  grid; O(1) elsewhere, but the first pull of a group takes O(groups) routes. */
enum status slots_pull(struct slots *s, uint32_t host, uint64_t weight, struct err *e);

/** Takes a free slot and returns its host: the host with the least sum of weight times distance
 *  over the pulls.  Ties go to the lower host.  Clears the pulls.  At least one slot must be
 *  free. */
uint32_t slots_take(struct slots *s);

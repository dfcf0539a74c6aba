/** @file slots.h
 *  The free slots of a platform's hosts, and the one nearest to given hosts: for a mapper that
 *  places one rank after the other.
 *
 *  Distances: hops on a grid (grid_slots.h); elsewhere the latency of the route, the mean of both
 *  ways, hops deciding between equal ones (group_slots.h).  A host is at no distance from itself.
 */
#ifndef MAPPERS_GREEDY_SLOTS_H
#define MAPPERS_GREEDY_SLOTS_H

#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

struct slots;

/** All slots free, @p per_host on each host, no pulls.  @p p is not opaque and outlives it.  On
 *  success *out is the caller's: slots_free(). */
enum status slots_new(struct slots **out, const struct platform *p, uint32_t per_host,
                      struct err *e);

/** Accepts NULL. */
void slots_free(struct slots *s);

/** Adds a pull: @p weight is the cost of a unit of distance between @p host and the slot taken
 *  next.  On a grid the weights of all pulls times the diameter must stay below 2^64. */
enum status slots_pull(struct slots *s, uint32_t host, uint64_t weight, struct err *e);

/** Takes a slot and returns its host: of those with a free slot the one with the least sum of
 *  weight times distance over the pulls, ties to the lower host.  Clears the pulls.  A slot must be
 *  free. */
uint32_t slots_take(struct slots *s);

#endif

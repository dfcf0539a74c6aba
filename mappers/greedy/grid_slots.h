/** @file grid_slots.h
 *  The free slots of a grid's hosts, and the one nearest to given hosts: for a mapper that
 *  places one rank after the other.
 *
 *  Relies on hops being a sum over the dimensions, as they are on a torus, mesh or hypercube.
 */
#ifndef MAPPERS_GREEDY_GRID_SLOTS_H
#define MAPPERS_GREEDY_GRID_SLOTS_H

#include <stdint.h>

#include "common/err.h"
#include "platforms/topology/topology.h"

struct grid_slots;

/** All slots free, @p per_host on each host, no pulls.  Keeps no pointer to @p t.  Memory: 6 bytes
 *  a host.
 *  On success *out is the caller's: grid_slots_free(). */
enum status grid_slots_new(struct grid_slots **out, const struct topology *t, uint32_t per_host,
                           struct err *e);

/** Accepts NULL. */
void grid_slots_free(struct grid_slots *s);

/** Adds a pull: @p weight is the cost of each hop between @p host and the slot taken next.
 *  O(dimensions).  The weights of all pulls times the diameter must stay below 2^64. */
void grid_slots_pull(struct grid_slots *s, uint32_t host, uint64_t weight);

/** Takes a slot and returns its host: of those with a free slot the one with the least sum of
 *  weight times hops over the pulls, ties to the lower host.  Clears the pulls.  A slot must be
 *  free.
 *
 *  Branch and bound over a tree of boxes, halved along their longest side: a box costs at least the
 *  sum of its sides' least costs, and one without a free slot is skipped.  Time: about the number
 *  of hosts on the border between full and free ones nearby, at most all hosts; plus, for each
 *  dimension, its side times the number of coordinates with pulls. */
uint32_t grid_slots_take(struct grid_slots *s);

#endif

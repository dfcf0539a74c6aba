/** @file grid_slots.h
 *  Implements slots.h on a grid: a torus, mesh or hypercube.  Relies on hops being a sum over
 *  the dimensions.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "platforms/topology/topology.h"

struct grid_slots;

/** All slots are free, @p per_host on each host, and there are no pulls.  Keeps no pointer to @p t.
 *  Memory: 6 bytes per host.  The caller frees *out with grid_slots_free(). */
enum status grid_slots_new(struct grid_slots **out, const struct topology *t, uint32_t per_host,
                           struct err *e);

/** Accepts NULL. */
void grid_slots_free(struct grid_slots *s);

/** Adds a pull: a hop between @p host and the slot taken next costs @p weight.  O(dimensions).  The
 *  weights of all pulls times the diameter must stay below 2^64. */
void grid_slots_pull(struct grid_slots *s, uint32_t host, uint64_t weight);

/** Takes a free slot and returns its host: the host with the least sum of weight times hops over
 *  the pulls.  Ties go to the lower host.  Clears the pulls.  At least one slot must be free.
 *
 *  Branch and bound over a tree of boxes, halved along their longest side.  The lower bound of a
 *  box is the sum, over the dimensions, of the least cost along its side.  Full boxes are skipped.
 *  Time: about the number of hosts on the nearby border between full and free hosts, at most all
 *  hosts; plus, for each dimension, its side times the number of coordinates with pulls. */
uint32_t grid_slots_take(struct grid_slots *s);

/** @file slots.h
 *  The free slots of a topology's hosts, and the one nearest to given hosts: what a mapper that
 *  places one rank after the other asks for.
 *
 *  Relies on hops being a sum over the dimensions, as they are on a torus, mesh or hypercube.
 */
#ifndef MAPPERS_GREEDY_SLOTS_H
#define MAPPERS_GREEDY_SLOTS_H

#include <stdint.h>

#include "common/err.h"
#include "platforms/topology/topology.h"

struct slots;

/** All free, @p per_host on each host, no pulls.  @p t must outlive it.  Memory: 6 bytes a host.
 *  On success *out is the caller's: slots_free(). */
enum status slots_new(struct slots **out, const struct topology *t, uint32_t per_host,
                      struct err *e);

/** Accepts NULL. */
void slots_free(struct slots *s);

/** Adds @p weight to what a hop from @p host costs.  O(dimensions).  The weights of all pulls
 *  times the diameter must stay below 2^64. */
void slots_pull(struct slots *s, uint32_t host, uint64_t weight);

/** Takes a slot of the host with a free one where the sum over the pulls of weight times hops is
 *  least, the lowest such host, and returns it; forgets the pulls.  There must be a free slot.
 *
 *  Branch and bound over a tree of boxes, halved along their longest side: a box costs at least
 *  the sum of its sides' least costs, and one without a free slot is left out.  Time: about the
 *  hosts on the border between full and free ones nearby, at most all hosts, plus for each
 *  dimension its side times the coordinates there that pulls have. */
uint32_t slots_take(struct slots *s);

#endif

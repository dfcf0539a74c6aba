/** @file boundary.h
 *  Evens the boundaries of hosts.  The boundary of a host is the traffic of its ranks with ranks of
 *  other hosts.  On most networks it passes one link, and then the largest boundary bounds the time
 *  from below; cuts of the graph (inside/grouping.h) only minimise the sum of all boundaries.
 */
#pragma once

#include "mappers/mapper.h"

/** Moves ranks to other hosts of the mapping @p host, the host of each rank, and exchanges ranks of
 *  two hosts, by annealing: lowers the sum of bytes^8 over the hosts and both directions.
 *  Distances do not count.  The mapping must keep to the slots of the hosts; no other host is used.
 *  Leaves the best mapping found, in the worst case the given one.  Less than 65536 ranks.  Makes
 *  1024 tests per rank, at most 2^22 in all; O(arcs of the rank) per test, O(hosts) more per step.
 */
enum status boundary_even(uint32_t *host, const struct mapper_input *in, uint64_t seed,
                          struct err *e);

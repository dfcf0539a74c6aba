/** @file finder.h
 *  Finds routes in a network as NetZoneImpl::get_global_route of SimGrid 3.32 does
 *  (src/kernel/routing/NetZoneImpl.cpp): the same links, and latencies added in the same order.
 *  Each thread needs its own finder.  For platforms/ only.
 */
#pragma once

#include "platforms/network/network.h"

struct finder;

/** @p n must be sealed and outlive *out.  On success the caller owns *out: finder_free(). */
enum status finder_new(struct finder **out, const struct network *n, struct err *e);

/** Accepts NULL. */
void finder_free(struct finder *f);

/** Finds the route between two points.  *links (*count entries) is valid until the next call.  No
 *  links and latency 0 mean that there is no route.  O(links); O(routes log points) for the first
 *  route from a point in a Floyd or Dijkstra zone.  Search results are cached, up to 64 MiB. */
enum status finder_find(struct finder *f, uint32_t src, uint32_t dst, const uint32_t **links,
                        uint32_t *count, double *latency_s, struct err *e);

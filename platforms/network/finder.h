/** @file finder.h
 *  Finds routes in a network: NetZoneImpl::get_global_route of SimGrid 3.32
 *  (src/kernel/routing/NetZoneImpl.cpp), links and additions of latencies in its order.  One finder
 *  for each thread.  For platforms/ only.
 */
#ifndef PLATFORMS_NETWORK_FINDER_H
#define PLATFORMS_NETWORK_FINDER_H

#include "platforms/network/network.h"

struct finder;

/** @p n is sealed and outlives it.  On success *out is the caller's: finder_free(). */
enum status finder_new(struct finder **out, const struct network *n, struct err *e);

/** Accepts NULL. */
void finder_free(struct finder *f);

/** Finds the route between two points.  *links (*count of them) is valid until the next call; none
 *  and a latency of 0: there is no route.  O(links), but O(routes log points) for the first route
 *  from a point in a zone of routing Floyd or Dijkstra; such searches are kept, within 64 MiB. */
enum status finder_find(struct finder *f, uint32_t src, uint32_t dst, const uint32_t **links,
                        uint32_t *count, double *latency_s, struct err *e);

#endif

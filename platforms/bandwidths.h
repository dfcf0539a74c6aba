/** @file bandwidths.h
 *  Bandwidths of routes, and which hosts have the same ones: for who groups hosts and cannot
 *  look at all pairs.  Not for opaque platforms.
 */
#ifndef PLATFORMS_BANDWIDTHS_H
#define PLATFORMS_BANDWIDTHS_H

#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

/** Writes the class of each host to @p class, platform_hosts() entries, and their number to
 *  *count.  Two hosts of a class have routes of equal bandwidths to and from every third host,
 *  and any two pairs of its hosts are joined by routes of equal bandwidth.  A class is as large
 *  as the platform's structure shows: the hosts of a cluster, or those of a star with equal
 *  links; a gateway, and a host of a zone with declared routes, is a class of its own.  Classes
 *  are numbered by their first hosts.  O(hosts + routes). */
enum status platform_bandwidth_classes(const struct platform *p, uint32_t *class, uint32_t *count,
                                       struct err *e);

/** The least bandwidth, in byte/s, of the links of a route; INFINITY without links. */
double platform_least_bandwidth(const struct platform *p, const struct platform_route *r);

/** The least bandwidth, in byte/s, of the links of a route between two different hosts, of both
 *  ways the lower; fails if there is no route. */
enum status platform_route_bandwidth(struct platform_finder *f, const struct platform *p,
                                     const uint32_t ends[2], double *out, struct err *e);

#endif

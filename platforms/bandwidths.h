/** @file bandwidths.h
 *  Bandwidths of routes, and classes of hosts with equal bandwidths.  For algorithms that group
 *  hosts and cannot look at all pairs.  Not for opaque platforms.
 */
#ifndef PLATFORMS_BANDWIDTHS_H
#define PLATFORMS_BANDWIDTHS_H

#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

/** Writes the class of each host to @p class (platform_hosts() entries) and the number of classes
 *  to *count.  The routes of two hosts of a class to and from any third host have equal bandwidths,
 *  and all routes between hosts of the class have equal bandwidth.  Classes follow the structure of
 *  the platform: the hosts of a cluster, or the hosts of a star with equal links.  Gateways, and
 *  hosts of zones with declared routes, are classes of their own.  Classes are numbered by their
 *  first hosts.  O(hosts + routes). */
enum status platform_bandwidth_classes(const struct platform *p, uint32_t *class, uint32_t *count,
                                       struct err *e);

/** The lowest bandwidth of the links of a route in byte/s; INFINITY without links. */
double platform_least_bandwidth(const struct platform *p, const struct platform_route *r);

/** The lowest link bandwidth in byte/s of the routes between two different hosts, in both
 *  directions.  Fails if there is no route. */
enum status platform_route_bandwidth(struct platform_finder *f, const struct platform *p,
                                     const uint32_t ends[2], double *out, struct err *e);

#endif

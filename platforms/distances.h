/** @file distances.h
 *  Distances between the hosts of a platform, by one measure, for one thread.  Hops on a topology
 *  are computed by arithmetic; other distances are read from routes.  Means of both directions are
 *  stored by pair of groups of alike hosts (host_groups.h).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/host_groups.h"
#include "platforms/platform.h"

enum distance_measure {
  DISTANCE_USUAL,    /**< hops on a topology, latencies on other platforms */
  DISTANCE_HOPS,     /**< links of the route */
  DISTANCE_LATENCY,  /**< in s */
  DISTANCE_NEAR,     /**< latency in s; a hop adds 1 fs, so that hops break ties; DBL_MAX without a
                          route */
  DISTANCE_BANDWIDTH /**< in byte/s, of the slowest link: near hosts have large values */
};

struct distances;

/** @p p must not be opaque and must outlive *out.  O(1).  The caller frees *out with
 *  distances_free(). */
enum status distances_new(struct distances **out, const struct platform *p,
                          enum distance_measure measure, struct err *e);

/** Accepts NULL. */
void distances_free(struct distances *d);

/** True if distances are hops. */
bool distances_are_hops(const struct distances *d);

/** The distance from @p src to @p dst.  From a host to itself it is the distance along its
 *  loopback, or 0 hops on a topology.  Fails if there is no route, except for DISTANCE_NEAR.  Each
 *  call computes its route again. */
enum status distances_one_way(struct distances *d, uint32_t src, uint32_t dst, double *out,
                              struct err *e);

/** The sum of the distances in both directions, or the lower bandwidth.  As distances_one_way(). */
enum status distances_round_trip(struct distances *d, uint32_t a, uint32_t b, double *out,
                                 struct err *e);

/** The groups of alike hosts, owned by @p d; NULL with @p e filled on failure. */
const struct host_groups *distances_groups(struct distances *d, struct err *e);

/** The distances between hosts of @p group and of each group, means of both directions, owned by
 *  @p d; 0 within a group of one host.  The first call for a group takes O(groups) routes and 8
 *  bytes for each group.  NULL with @p e filled on failure.  Not for bandwidths. */
const double *distances_row(struct distances *d, uint32_t group, struct err *e);

/** Prepares distances_mean().  Time and memory are O(groups^2), or none on a topology for hops, and
 *  for latencies if all links have one latency. */
enum status distances_fill(struct distances *d, struct err *e);

/** The mean of the distances in both directions, after distances_fill(); 0 from a host to itself.
 *  O(dimensions or levels).  Not for bandwidths. */
double distances_mean(const struct distances *d, uint32_t a, uint32_t b);

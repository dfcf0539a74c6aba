/** @file distances.h
 *  Distances between the hosts of a platform: hops on a topology, latencies in seconds on other
 *  platforms.  A distance is the mean of both directions; a host has distance 0 to itself.
 */
#ifndef MAPPERS_DISTANCES_H
#define MAPPERS_DISTANCES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

struct distances;

/** @p p must not be opaque and must outlive *out.  Fails if two hosts have no route.  Without a
 *  topology, time and memory are O(g^2) for g groups of alike hosts (platform_groups()).  The
 *  caller frees *out with distances_free(). */
enum status distances_new(struct distances **out, const struct platform *p, struct err *e);

/** Accepts NULL. */
void distances_free(struct distances *d);

/** The distance between @p a and @p b in hops or seconds.  O(dimensions or levels). */
double distances_of(const struct distances *d, uint32_t a, uint32_t b);

/** True if distances are hops, false if they are seconds. */
bool distances_are_hops(const struct distances *d);

#endif

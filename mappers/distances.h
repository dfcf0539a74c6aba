/** @file distances.h
 *  How far the hosts of a platform are from each other: by hops on a topology, by latency
 *  elsewhere, the mean of both ways.  0 from a host to itself.
 */
#ifndef MAPPERS_DISTANCES_H
#define MAPPERS_DISTANCES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

struct distances;

/** @p p is not opaque and outlives it.  Fails if two hosts have no route.  Without a topology it
 *  takes the square of the number of groups of alike hosts, in time and memory.  On success *out is
 *  the caller's: distances_free(). */
enum status distances_new(struct distances **out, const struct platform *p, struct err *e);

/** Accepts NULL. */
void distances_free(struct distances *d);

/** From @p a to @p b: hops or seconds.  O(dimensions or levels). */
double distances_of(const struct distances *d, uint32_t a, uint32_t b);

/** Are they hops? */
bool distances_are_hops(const struct distances *d);

#endif

/** @file routes.h
 *  Fast routes between hosts: computed on grids; on other platforms, recently used routes are
 *  cached.  For one thread.
 */
#pragma once

#include "common/err.h"
#include "platforms/platform.h"

struct route {
  const uint32_t *link; /**< links of the route with loads, in order; valid until the next call */
  uint32_t links;       /**< number of links with loads */
  uint32_t hops;        /**< number of all links */
};

struct routes;

/** @p p must not be opaque and must outlive *out.  Routes of more than @p most_hops, or of more
 *  than 65535, hops are errors.  Links marked in @p fixed, by id, count as links without loads, as
 *  links that are not shared do; NULL: no marks, as on all grids.  On success the caller frees *out
 *  with routes_free(). */
enum status routes_new(struct routes **out, const struct platform *p, uint32_t most_hops,
                       const uint8_t *fixed, struct err *e);

/** Accepts NULL. */
void routes_free(struct routes *r);

/** The route between two hosts.  It has no links if both are the same host or after an error. */
struct route routes_find(struct routes *r, uint32_t src, uint32_t dst);

/** The hops of the route; faster than routes_find(). */
uint32_t routes_hops(struct routes *r, uint32_t src, uint32_t dst);

/** The sides of the grid of hosts, *ndims of them; NULL if the platform is no grid. */
const uint32_t *routes_grid(const struct routes *r, uint32_t *ndims);

/** Fails with the first error of routes_find() so far: two hosts without a route, a route with too
 *  many hops, or no memory. */
enum status routes_check(const struct routes *r, struct err *e);

/** @file kept_routes.h
 *  Routes between the hosts of a platform: each is found once and kept.  For one thread.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

/** All routes are kept on platforms of at most this number of hosts. */
enum { KEPT_ROUTES_MOST = 1024 };

/** A kept route. */
struct kept_route {
  uint32_t first, links; /**< its links, from index `first` of kept_routes.link; 0 links: no route,
                              or not yet found */
  double latency_s;
  double narrowest; /**< the least bandwidth of its links, in byte/s */
  double byte_s;    /**< sum over its links of seconds per byte */
};

struct kept_routes {
  uint32_t hosts;
  struct kept_route *route; /**< by src * hosts + dst; NULL: too many hosts */
  uint32_t *link;           /**< of the routes */
  size_t links, link_room;
  double *bandwidth; /**< by link, in byte/s */
  struct platform_finder *finder;
};

/** @p p must not be opaque and must outlive *k.  Takes 32 bytes for each pair of hosts, up to
 *  KEPT_ROUTES_MOST hosts.  Free with kept_routes_clear(), also after a failure. */
enum status kept_routes_new(struct kept_routes *k, const struct platform *p, struct err *e);

/** Accepts a zeroed struct. */
void kept_routes_clear(struct kept_routes *k);

/** Copies the route from @p src to @p dst to *out.  O(1) if it is kept. */
enum status kept_routes_find(struct kept_routes *k, uint32_t src, uint32_t dst,
                             struct kept_route *out, struct err *e);

/** Above KEPT_ROUTES_MOST hosts, forgets the links of all routes, so that they do not fill the
 *  memory; does nothing on smaller platforms. */
void kept_routes_shed(struct kept_routes *k);

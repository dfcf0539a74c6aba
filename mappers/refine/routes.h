/** @file routes.h
 *  Routes between hosts, fast: by arithmetic on grids, else those asked for last are remembered.
 *  For one thread.
 */
#ifndef MAPPERS_REFINE_ROUTES_H
#define MAPPERS_REFINE_ROUTES_H

#include "common/err.h"
#include "platforms/platform.h"

struct route {
  const uint32_t *link; /**< those that flows share, in order; valid until the next call */
  uint32_t links;       /**< of these */
  uint32_t hops;        /**< of all, not shared ones (fatpipes) included */
};

struct routes;

/** @p p is not opaque and outlives it.  Routes of more than @p most_hops are refused.  On success
 *  *out is the caller's: routes_free(). */
enum status routes_new(struct routes **out, const struct platform *p, uint32_t most_hops,
                       struct err *e);

/** Accepts NULL. */
void routes_free(struct routes *r);

/** The route between two hosts; without links if they are one, and if there is an error. */
struct route routes_find(struct routes *r, uint32_t src, uint32_t dst);

/** Its hops alone: faster. */
uint32_t routes_hops(struct routes *r, uint32_t src, uint32_t dst);

/** The sides of the grid that the hosts form, *ndims of them; NULL if they form none. */
const uint32_t *routes_grid(const struct routes *r, uint32_t *ndims);

/** Fails with the first error of the searches so far: hosts without a route, or with one that is
 *  too long. */
enum status routes_check(const struct routes *r, struct err *e);

#endif

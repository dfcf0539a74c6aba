/** @file scotch_target.h
 *  A platform as a target architecture of Scotch's.  Compiled only where scotch.h is installed.
 *
 *  A torus, mesh, hypercube, star or fat tree is Scotch's own architecture of that shape, by hops.
 *  Anything else, and a grid of more than 5 sides that is no hypercube, is described by the
 *  distances of its hosts and a decomposition in halves ("deco 0"): latencies, in units of the
 *  shortest one; hops on a topology.
 */
#ifndef MAPPERS_PEERS_SCOTCH_TARGET_H
#define MAPPERS_PEERS_SCOTCH_TARGET_H

#include "common/err.h"
#include "mappers/peers/scotch_api.h"
#include "platforms/platform.h"

/** Most hosts described by their distances: Scotch then takes 0.5 GB, four times that of half as
 *  many. */
enum { SCOTCH_TARGET_MOST = 8192 };

struct scotch_target {
  SCOTCH_Arch *arch; /**< owned */
  uint32_t diameter; /**< largest distance of two hosts */
};

/** @p p has 2 hosts or more and is not opaque.  On success *out is the caller's:
 *  scotch_target_clear(). */
enum status scotch_target_make(struct scotch_target *out, const struct scotch_api *s,
                               const struct platform *p, struct err *e);

/** Accepts a zeroed target. */
void scotch_target_clear(struct scotch_target *t, const struct scotch_api *s);

#endif

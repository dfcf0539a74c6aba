/** @file scotch_target.h
 *  A platform as a target architecture of Scotch.  Compiled only if scotch.h is installed.
 *
 *  A torus, mesh, hypercube, star or fat tree uses Scotch's own architecture of that shape, with
 *  distances in hops.  Other platforms, and grids of more than 5 sides that are no hypercubes, are
 *  described by the distances between hosts and a recursive bisection ("deco 0").  Distances are
 *  hops on a topology; on other platforms latencies in units of the shortest one.
 *
 *  Nodes with an inside on a star or fat tree are a tree of cores, "tleaf", if all objects of a
 *  level are equal.  The distance between two cores is the time of a byte, over the slowest link of
 *  the network or over the lowest common level, in units of a quarter of the time over the
 *  innermost level.
 */
#pragma once

#include "common/err.h"
#include "mappers/peers/scotch_api.h"
#include "platforms/inside/inside.h"
#include "platforms/platform.h"

/** Most hosts described by distances.  Scotch uses 0.5 GB for them; its memory is quadratic in the
 *  number of hosts. */
enum { SCOTCH_TARGET_MOST = 8192 };

struct scotch_target {
  SCOTCH_Arch *arch; /**< owned */
  uint32_t diameter; /**< largest distance between two hosts */
  uint32_t *core;    /**< by terminal modulo cores: its core; owned; NULL: terminals are hosts */
  uint32_t cores;    /**< terminals of a host; 1 without `core` */
};

/** Makes the target of @p p, which must have at least 2 hosts or an inside, and must not be opaque.
 *  @p in is the inside of the hosts, or NULL if terminals are hosts.  On success the caller frees
 *  *out with scotch_target_clear(). */
enum status scotch_target_make(struct scotch_target *out, const struct scotch_api *s,
                               const struct platform *p, const struct inside *in, struct err *e);

/** Accepts a zeroed target. */
void scotch_target_clear(struct scotch_target *t, const struct scotch_api *s);

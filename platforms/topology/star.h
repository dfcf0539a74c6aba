/** @file star.h
 *  Functions for stars only.
 */
#pragma once

#include "platforms/topology/topology.h"

struct star_backbone {
  double bandwidth_Bps; /**< 0: no backbone */
  double latency_s;
  bool fat; /**< each flow has the full bandwidth */
};

/** Builds a star of 1 to TOPOLOGY_MAX_HOSTS hosts.  On success the caller owns *out:
 *  topology_free(). */
enum status topology_star_new(struct topology **out, uint32_t hosts,
                              const struct star_backbone *backbone, struct err *e);

bool topology_is_star(const struct topology *t);

/** The backbone of a star, owned by @p t.  NULL if @p t has no backbone or is not a star. */
const struct star_backbone *topology_backbone(const struct topology *t);

/** @file star.h
 *  Stars: what only they have.
 */
#ifndef PLATFORMS_TOPOLOGY_STAR_H
#define PLATFORMS_TOPOLOGY_STAR_H

#include "platforms/topology/topology.h"

struct star_backbone {
  double bandwidth_Bps; /**< 0: none */
  double latency_s;
  bool fat; /**< each flow has all of it */
};

/** Builds a star of 1 to TOPOLOGY_MAX_HOSTS hosts.  On success *out is the caller's:
 *  topology_free(). */
enum status topology_star_new(struct topology **out, uint32_t hosts,
                              const struct star_backbone *backbone, struct err *e);

bool topology_is_star(const struct topology *t);

/** The backbone of a star, owned by @p t; NULL if it has none or is no star. */
const struct star_backbone *topology_backbone(const struct topology *t);

#endif

/** @file link_changes.h
 *  Applies the profiles of links that SimGrid's platform file lacks: an actor sets bandwidth
 * (byte/s) and latency (s) at their dates.
 */
#pragma once

#include "sim/changes.h"
#include "sim/engine.h"
#include "sim/simgrid/api.h"

/** Zeroed: no changes. */
struct link_changes {
  const struct simgrid_api *sg;
  struct changes changes;
  sg_link_t *link; /**< by link id of the platform, set for links that change; owned */
};

/** Applies the changes of date 0 and starts the actor for the later ones.  SimGrid must have
 *  loaded its platform.  @p l is zeroed; @p l, @p sg and the profiles stay in place until the run
 *  ends.  The caller calls link_changes_clear() after the run, also after a failure. */
enum status link_changes_start(struct link_changes *l, const struct simgrid_api *sg,
                               const struct engine_config *c, struct err *e);
void link_changes_clear(struct link_changes *l);

/** @file link_changes.h
 *  Profiles of links that are not in SimGrid's platform file: an actor changes the links.
 */
#pragma once

#include "sim/changes.h"
#include "sim/engine.h"
#include "sim/simgrid/api.h"

/** Zeroed: no changes. */
struct link_changes {
  const struct simgrid_api *sg;
  struct changes changes;
  sg_link_t *link; /**< by link of the platform; owned */
};

/** Applies the changes of date 0 and starts the actor for the later ones.  SimGrid must have its
 *  platform.  The caller calls link_changes_clear() after the run, also after a failure. */
enum status link_changes_start(struct link_changes *l, const struct simgrid_api *sg,
                               const struct engine_config *c, struct err *e);
void link_changes_clear(struct link_changes *l);

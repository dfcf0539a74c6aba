/** @file platform.h
 *  Loading of a platform into SimGrid, at most once a process.
 */
#ifndef SIM_SIMGRID_PLATFORM_H
#define SIM_SIMGRID_PLATFORM_H

#include "sim/engine.h"
#include "sim/simgrid/api.h"

/** Within a guard (guard.h): opens SimGrid, starts it with the model and precisions of @p c
 *  and loads its platform's file.
 *  @p full: SimGrid computes all rates again at every event, not only those that it thinks may
 *  change. */
enum status simgrid_platform_load(struct simgrid_api *sg, const struct engine_config *c, bool full,
                                  struct err *e);

#endif

/** @file simgrid_platform.h
 *  A platform inside SimGrid: loading it, once a process, and asking it for routes.
 */
#ifndef SIM_SIMGRID_PLATFORM_H
#define SIM_SIMGRID_PLATFORM_H

#include "sim/engine.h"

/** Starts SimGrid with the model and precisions of @p c and loads its platform's file.  @p full:
 *  SimGrid computes all rates again at every event, not only those that it thinks may change. */
void simgrid_platform_load(const struct engine_config *c, bool full);

/** Calls @p link for each link of the route between two hosts by name, in order. */
void simgrid_platform_route(const char *src, const char *dst, engine_link_fn *link, void *arg);

/** The speed of a core of a host, in flop/s, and its cores. */
void simgrid_platform_host(const char *name, double *speed, uint32_t *cores);

#endif

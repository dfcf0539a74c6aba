/** @file simulator.h
 *  Simulates a trace under many mappings for mappers (mappers/simulator.h), in this process or in
 *  several processes that share the work.
 */
#pragma once

#include "common/err.h"
#include "mappers/simulator.h"
#include "platforms/platform.h"
#include "setup/inputs.h"
#include "sim/sim.h"

struct simulator;

/** Prepares simulations of @p trace on @p p, whole or a part (platforms/part.h), with the options
 *  @p o, loads included, without output files.  The mappings have up to @p ranks_per_host ranks on
 *  a host or, if the hosts are cores, on a node.  The traffic of @p trace has been counted.
 *  @p trace, @p p and all that *o points to must outlive *out.  On success, free *out with
 *  simulator_free(). */
enum status simulator_new(struct simulator **out, const struct sim_options *o,
                          const struct platform *p, struct input_trace *trace,
                          uint32_t ranks_per_host, struct err *e);

/** Mappings name nodes, and the ranks of each node take cores of @p p, by @p traffic
 *  (mappers/inside/cores.h): @p p has an inside, and the simulator was made for platform_nodes() of
 *  @p p, whole or a part.  @p p and @p traffic must outlive @p s. */
void simulator_use_cores(struct simulator *s, const struct platform *p,
                         const struct matrix *traffic);

/** Accepts NULL. */
void simulator_free(struct simulator *s);

/** The interface for mappers; valid while @p s exists. */
struct mapper_simulator simulator_of(struct simulator *s);

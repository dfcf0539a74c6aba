/** @file simulator.h
 *  Simulates a trace under many mappings, as mappers ask (mappers/simulator.h): in this process, or
 *  in several that share the work.
 */
#ifndef CAMPAIGN_SIMULATOR_H
#define CAMPAIGN_SIMULATOR_H

#include "campaign/inputs.h"
#include "common/err.h"
#include "mappers/simulator.h"
#include "platforms/platform.h"
#include "sim/sim.h"

struct simulator;

/** Simulates @p trace on @p p as @p o says, without its output files, loads included.  All three
 *  must outlive it.  On success *out is the caller's: simulator_free(). */
enum status simulator_new(struct simulator **out, const struct sim_options *o,
                          const struct platform *p, struct input_trace *trace, struct err *e);

/** Accepts NULL. */
void simulator_free(struct simulator *s);

/** The same as a mapper sees it; not longer than @p s lives. */
struct mapper_simulator simulator_of(struct simulator *s);

#endif

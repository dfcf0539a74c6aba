/** @file engines.h
 *  Executes a scheduled task network on an engine (sim/engine.h): with the routes, latencies and
 *  contention of a platform, and background load of any kind. actors.h describes the behaviour of
 *  its hosts.  Without latency, contention, bandwidth factors and load, the dates equal the dates
 *  of abstract.h.
 */
#pragma once

#include "common/err.h"
#include "sim/engine_run.h"
#include "sim/tasknet/actors.h"

/** Input of an execution; owned by the caller. */
struct engines_input {
  struct actors_input actors; /**< its `loads` are not used */
  struct engine_run run;
};

/** Fails if a volume exceeds 2^60 bytes, or if hosts wait for each other.  At most once per process
 *  unless the engine has runs_again.  Equal inputs give equal runs. */
enum status engines_execute(const struct engines_input *in, struct abstract_run *out,
                            struct load_figures *load, struct err *e);

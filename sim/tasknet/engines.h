/** @file engines.h
 *  Executes a scheduled task network on an engine (sim/engine.h): with the routes, latencies and
 *  contention of a platform, and background load of any kind.  What its hosts do is in actors.h;
 *  without latency, contention, bandwidth factors and load the dates are those of abstract.h.
 */
#ifndef SIM_TASKNET_ENGINES_H
#define SIM_TASKNET_ENGINES_H

#include "common/err.h"
#include "sim/engine.h"
#include "sim/tasknet/actors.h"

/** What is executed, and on what; the caller's. */
struct engines_input {
  struct actors_input what; /**< `loads` are all that there are */
  const struct platform *platform;
  const struct engine *engine;
  const struct sim_model *model;
  double precision_s, maxmin_precision; /**< as in struct engine_config */
};

/** Refuses volumes of more than 2^60 bytes, and orders in which hosts wait for each other.  At most
 *  once a process unless the engine runs again.  Same input, same run. */
enum status engines_execute(const struct engines_input *in, struct abstract_run *out,
                            struct load_figures *load, struct err *e);

#endif

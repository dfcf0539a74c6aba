/** @file sim.h
 *  One simulation: a program on a platform under a mapping, and what it cost.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include <stdint.h>
#include <stdio.h>

#include "common/column.h"
#include "common/err.h"
#include "platforms/mapping/mapping.h"
#include "sim/engine.h"
#include "sim/load/load.h"
#include "sim/output/timeline.h"
#include "sim/replay/replay.h"
#include "traces/program.h"

struct sim_options {
  const struct engine *engine;
  const struct sim_model *model;
  double precision_s; /**< these two: see struct engine_config */
  double maxmin_precision;
  double compute_scale; /**< these two: see struct replay_options */
  uint64_t eager_threshold;
  struct load_specs loads;                       /**< background load */
  uint64_t load_seed;                            /**< added to the seeds of the loads */
  const char *per_rank;                          /**< file to write, or NULL */
  const char *links;                             /**< file to write, or NULL */
  const char *timeline;                          /**< file to write, or NULL */
  const struct timeline_format *timeline_format; /**< of that file */
};

struct sim_result {
  double simulated_time_s;          /**< when the last rank ends */
  double communication_time_mean_s; /**< over ranks, of the time outside of EXEC and SLEEP */
  double communication_time_max_s;
  uint64_t messages;              /**< sent */
  uint64_t bytes;                 /**< sent: payload */
  struct load_figures background; /**< taken by the background load; not among the above */
};

/** The columns of a sim_result, and those of its background load. */
extern const struct column sim_columns[], sim_load_columns[];

/** The defaults: first engine, first model, SimGrid's precision as smpirun sets it. */
struct sim_options sim_defaults(void);

/** Simulates @p p on platform @p on under @p m, at most once a process; writes the files that @p o
 *  names.  After a deadlock the blocked ranks are listed on @p blocked. */
enum status sim_run(const struct sim_options *o, struct program *p, const struct platform *on,
                    const struct mapping *m, FILE *blocked, struct sim_result *out, struct err *e);

#endif

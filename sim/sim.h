/** @file sim.h
 *  One simulation: programs on a platform, each under a mapping, and what they cost.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include <stdint.h>
#include <stdio.h>

#include "common/column.h"
#include "common/err.h"
#include "platforms/mapping/mapping.h"
#include "sim/engine.h"
#include "sim/job.h"
#include "sim/load/load.h"
#include "sim/output/timeline.h"
#include "sim/overlay/overlay.h"

struct watch;

struct sim_options {
  const struct engine *engine;
  const struct sim_model *model;
  double precision_s; /**< these two: see struct engine_config */
  double maxmin_precision;
  double compute_scale; /**< these two: see struct replay_options */
  uint64_t eager_threshold;
  struct load_specs loads;                       /**< background load */
  double jitter;                                 /**< see struct replay_options */
  uint64_t load_seed;                            /**< added to the seeds of the loads */
  struct overlay_spec overlay;                   /**< of the one job; zeroed: none */
  const struct replay_loop *loop;                /**< of the first job, or NULL */
  const char *per_rank;                          /**< file to write, or NULL */
  const char *links;                             /**< file to write, or NULL */
  const char *timeline;                          /**< file to write, or NULL */
  const struct timeline_format *timeline_format; /**< of that file */
  struct watch *watch; /**< of the last job; the results of a run that it stops mean nothing; NULL:
                            none */
};

/** The result of one job. */
struct sim_result {
  double simulated_time_s;          /**< from its start to the end of its last rank; of a job that
                                         repeats the mean of its whole runs, 0 if there is none */
  double communication_time_mean_s; /**< over ranks, of the time outside of EXEC and SLEEP */
  double communication_time_max_s;
  uint64_t messages;              /**< sent */
  uint64_t bytes;                 /**< sent: payload */
  uint64_t runs;                  /**< of a job that repeats: those that have ended */
  struct load_figures background; /**< taken by background load and by jobs that repeat */
  struct overlay_figures overlay; /**< of a run on an overlay */
};

/** The columns of a sim_result, those of its background load and those of its overlay. */
extern const struct column sim_columns[], sim_load_columns[], sim_overlay_columns[];

/** The defaults: first engine, first model, SimGrid's precision as smpirun sets it. */
struct sim_options sim_defaults(void);

/** Most ranks of all jobs. */
#define SIM_MOST_RANKS (1u << 24)

/** Simulates @p jobs jobs on platform @p on until the last one that does not repeat has ended;
 *  at most once a process unless the engine runs again; writes the files that @p o names, and
 *  the results to @p out, by job.  After a deadlock the blocked ranks are listed on @p blocked. */
enum status sim_run(const struct sim_options *o, const struct sim_job *job, size_t jobs,
                    const struct platform *on, FILE *blocked, struct sim_result *out,
                    struct err *e);

#endif

/** @file sim.h
 *  Runs one simulation: programs on a platform, each under its own mapping.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "common/column.h"
#include "common/err.h"
#include "platforms/mapping/mapping.h"
#include "sim/effects/effects.h"
#include "sim/engine.h"
#include "sim/job.h"
#include "sim/load/load.h"
#include "sim/output/timeline.h"
#include "sim/overlay/overlay.h"

struct causes;
struct coverage;
struct watch;

struct sim_options {
  const struct engine *engine;
  const struct sim_model *model;
  double precision_s; /**< this and the next: see struct engine_config */
  double maxmin_precision;
  double compute_scale; /**< this and the next: see struct replay_options */
  uint64_t eager_threshold;
  struct load_specs loads;        /**< background load */
  struct effects effects;         /**< optional models */
  double jitter;                  /**< see struct replay_options */
  uint64_t load_seed;             /**< added to the seeds of loads, effects and jitter */
  struct overlay_spec overlay;    /**< for a run of one job; zeroed: none */
  const struct replay_loop *loop; /**< of the first job, or NULL */
  const char *per_rank;           /**< file to write, or NULL */
  const char *links;              /**< file to write, or NULL */
  const char *timeline;           /**< file to write, or NULL */
  const struct timeline_format *timeline_format; /**< format of that file */
  struct causes *causes;     /**< records the causes of events (sim/flow/causes.h); needs
                                engine.records;     NULL: not recorded */
  const uint32_t *unlimited; /**< a link that limits no message; NULL: none */
  struct coverage *coverage; /**< counts the messages (coverage.h); NULL: not counted */
  struct watch *watch;       /**< watches the last job and may stop the run, whose results are then
                                    meaningless; NULL: none */
};

/** The result of one job. */
struct sim_result {
  double simulated_time_s;          /**< from the start of the job to the end of its last rank; for
                                         a repeated job the mean over its complete runs, 0 if there
                                         is none */
  double communication_time_mean_s; /**< mean over ranks of the time outside of EXEC and SLEEP */
  double communication_time_max_s;
  uint64_t messages;              /**< sent */
  uint64_t bytes;                 /**< sent: payload */
  uint64_t runs;                  /**< runs of a repeated job that have ended */
  struct load_figures background; /**< of background load and background jobs */
  struct overlay_figures overlay; /**< of a run on an overlay */
};

/** Columns of struct sim_result: of the job, its background load and its overlay. */
extern const struct column sim_columns[], sim_load_columns[], sim_overlay_columns[];

/** The defaults: first engine, first model, SimGrid's precision as smpirun sets it. */
struct sim_options sim_defaults(void);

/** Fails if an output file of @p o cannot be written, or if two are the same file.  For checks
 *  before a long simulation. */
enum status sim_check_outputs(const struct sim_options *o, struct err *e);

/** Upper limit of the total number of ranks of all jobs. */
#define SIM_MOST_RANKS (1u << 24)

/** Simulates @p jobs jobs on platform @p on until the last foreground job has ended.  Writes the
 *  files named by @p o, and one result per job to @p out.  After a deadlock it lists the blocked
 *  ranks on @p blocked, unless it is NULL.  Can be called once per process; repeatedly if the
 *  engine has runs_again. */
enum status sim_run(const struct sim_options *o, const struct sim_job *job, size_t jobs,
                    const struct platform *on, FILE *blocked, struct sim_result *out,
                    struct err *e);

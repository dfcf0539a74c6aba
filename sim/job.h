/** @file job.h
 *  A simulated program as a driver: an MPI replay (replay/), or a dependency graph (graph/), that
 *  may start late and may restart whenever it has ended.
 */
#pragma once

#include "common/err.h"
#include "platforms/mapping/mapping.h"
#include "sim/crew.h"
#include "sim/replay/replay.h"
#include "traces/collectives/collective.h"
#include "traces/trace.h"

struct sim_job {
  struct trace *trace; /**< not read by other code during the run */
  const struct collectives *collectives;
  const struct mapping *mapping;
  double start_s;
  bool repeat;     /**< restarts whenever it has ended */
  bool background; /**< the run does not wait for this job; it never waits for a repeated one */
};

/** Figures of a job.  For a repeated job flops, messages and bytes are sums over all runs. */
struct job_figures {
  double time_s;                    /**< from the start to the end of the last rank; for a repeated
                                         job the mean over its complete runs, 0 if there is none */
  double communication_time_mean_s; /**< mean over ranks of the time outside of EXEC and SLEEP */
  double communication_time_max_s;
  double flops;      /**< of finished computations */
  uint64_t messages; /**< sent */
  uint64_t bytes;    /**< sent: payload */
  uint64_t runs;     /**< runs that have ended */
};

static inline bool job_is_background(const struct sim_job *j)
{
  return j->repeat || j->background;
}

struct program;

/** Rewinds the trace and lowers it for the hosts of the mapping.  The caller frees *out with
 *  program_free(). */
enum status job_program(struct program **out, const struct sim_job *in, struct err *e);

struct job;

/** The job must not outlive @p in, the objects that @p in and @p o point to, and @p e, which
 *  receives errors of the run.  The caller frees *out with job_free(). */
enum status job_new(struct job **out, const struct sim_job *in, const struct replay_options *o,
                    struct err *e);

/** Accepts NULL. */
void job_free(struct job *j);

/** The job as a member of a crew.  Its driver may also run alone unless the job repeats. */
struct crew_member job_member(struct job *j);

/** True if an error of this job stopped the run; job_finish() reports it. */
bool job_has_failed(const struct job *j);

/** Called after the engine has stopped, like replay_finish().  A background job that was cut off is
 *  not an error. */
enum status job_finish(struct job *j, struct err *e);

/** Figures of a rank in the last run, complete once it has ended. */
const struct rank_result *job_rank(const struct job *j, uint32_t rank);

/** After a deadlock, prints one line for each blocked rank, at most @p most. */
void job_print_blocked(const struct job *j, uint32_t most, FILE *f);

struct job_figures job_figures(const struct job *j);

/** @file job.h
 *  A program that is simulated, as a driver: an MPI replay (replay/) that may start late, and begin
 *  anew whenever it has ended.
 */
#ifndef SIM_JOB_H
#define SIM_JOB_H

#include "common/err.h"
#include "platforms/mapping/mapping.h"
#include "sim/crew.h"
#include "sim/replay/replay.h"
#include "traces/collectives/collective.h"
#include "traces/trace.h"

struct sim_job {
  struct trace *trace; /**< which nothing else reads meanwhile */
  const struct collectives *collectives;
  const struct mapping *mapping;
  double start_s;
  bool repeat;     /**< it begins anew when it has ended */
  bool background; /**< the run does not wait for it, nor for one that repeats */
};

/** What ranks have done; of a job that repeats, in all its runs. */
struct job_figures {
  double time_s;                    /**< from the start to the end of the last rank; of a job that
                                         repeats the mean of its whole runs, 0 if there is none */
  double communication_time_mean_s; /**< over ranks, of the time outside of EXEC and SLEEP */
  double communication_time_max_s;
  double flops;      /**< of computations that have ended */
  uint64_t messages; /**< sent */
  uint64_t bytes;    /**< sent: payload */
  uint64_t runs;     /**< that have ended */
};

static inline bool job_is_background(const struct sim_job *j)
{
  return j->repeat || j->background;
}

struct program;

/** Rewinds the trace and lowers it for the hosts of the mapping.  The caller's: program_free(). */
enum status job_program(struct program **out, const struct sim_job *in, struct err *e);

struct job;

/** @p in, what it and @p o point to, and @p e, which takes the error of the run, must outlive it.
 *  On success *out is the caller's: job_free(). */
enum status job_new(struct job **out, const struct sim_job *in, const struct replay_options *o,
                    struct err *e);

/** Accepts NULL. */
void job_free(struct job *j);

/** The job as a member of a crew; its driver may also run alone unless it repeats. */
struct crew_member job_member(struct job *j);

/** After the engine has stopped: as replay_finish(). */
enum status job_finish(struct job *j, struct err *e);

/** The replay of the last run. */
const struct replay *job_replay(const struct job *j);

struct job_figures job_figures(const struct job *j);

#endif

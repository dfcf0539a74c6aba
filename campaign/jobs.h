/** @file jobs.h
 *  Jobs as options give them: "TRACE[,mapping=..][,hosts=..][,start=..][,repeat]".
 */
#ifndef CAMPAIGN_JOBS_H
#define CAMPAIGN_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "campaign/inputs.h"
#include "common/err.h"
#include "platforms/mapping/mapping.h"
#include "sim/job.h"

/** Most jobs of a run. */
enum { JOBS_MOST = 16 };

/** The texts are the option's. */
struct job_spec {
  const char *trace;
  const char *mapping; /**< NULL: not given */
  const char *hosts;   /**< NULL: all */
  double start_s;
  bool repeat;
};

struct job_specs {
  struct job_spec job[JOBS_MOST];
  size_t count;
};

/** Appends a job; cuts @p text, which must outlive @p s, into its parts. */
enum status job_specs_add(struct job_specs *s, char *text, struct err *e);

/** Prints a job as it was given. */
void job_spec_print(const struct job_spec *s, FILE *f);

/** A job with its trace open and its ranks placed. */
struct placed_job {
  struct input_trace trace;
  struct mapping mapping;
  uint32_t moved; /**< ranks that the mapper had to move (mapper.h) */
  struct sim_job job;
};

/** How jobs are placed that do not say it. */
struct job_defaults {
  const char *mapping;
  uint32_t ranks_per_host; /**< 0: not given */
  const struct reading *reading;
  const struct sim_options *options; /**< for mappers that simulate: each job alone */
};

/** Places one job on the whole platform.  Zeroes *out first.  The caller's, also after a failure:
 *  placed_job_clear().  @p d->reading outlives it. */
enum status job_place(struct placed_job *out, const struct job_spec *s,
                      const struct job_defaults *d, const struct platform *p, struct err *e);

void placed_job_clear(struct placed_job *j);

/** Places all jobs, on hosts of their own where they fit: jobs with hosts= or a file as a mapping
 *  stay where these say, as do the ranks of @p first (NULL: none); of the others, mapper xyz fills
 *  the hosts that are left in order, mapper random draws among them, and ranks that any other
 *  mapper puts on a host which is full go to the nearest one with room.  *shared is set if the
 *  ranks of all jobs are more than the platform takes: then each job is placed as if it were alone.
 *  @p out has room for all jobs.  The caller's, also after a failure: placed_jobs_clear(). */
enum status jobs_place(struct placed_job *out, const struct job_specs *s,
                       const struct mapping *first, const struct job_defaults *d,
                       const struct platform *p, bool *shared, struct err *e);

void placed_jobs_clear(struct placed_job *j, const struct job_specs *s);

#endif

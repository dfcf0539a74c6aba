/** @file jobs.h
 *  Jobs as options specify them: "TRACE[,mapping=..][,hosts=..][,start=..][,repeat]".
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "common/err.h"
#include "platforms/mapping/mapping.h"
#include "setup/inputs.h"
#include "sim/job.h"

/** Maximum number of jobs of a run. */
enum { JOBS_MOST = 16 };

/** One job; the texts point into the option. */
struct job_spec {
  const char *trace;
  const char *mapping; /**< NULL: not given */
  const char *hosts;   /**< NULL: all hosts */
  double start_s;
  bool repeat;
};

struct job_specs {
  struct job_spec job[JOBS_MOST];
  size_t count;
};

/** Parses @p text, splitting it in place, and appends the job.  @p text must outlive @p s. */
enum status job_specs_add(struct job_specs *s, char *text, struct err *e);

/** Prints a job in the form of the option. */
void job_spec_print(const struct job_spec *s, FILE *f);

/** A job with its trace open and its ranks placed. */
struct placed_job {
  struct input_trace trace;
  struct mapping mapping;
  uint32_t moved; /**< ranks that the mapper had to move (mapper.h) */
  struct sim_job job;
};

/** Placement of jobs that do not specify it. */
struct job_defaults {
  const char *mapping;
  const struct allocation_list *hosts; /**< NULL: all */
  uint32_t ranks_per_host;             /**< 0: not given */
  const struct reading *reading;
  const struct sim_options *options; /**< for mappers, which simulate each job alone */
};

/** Places one job, regardless of other jobs.  Zeroes *out first.  @p d->reading must outlive *out.
 *  Free *out with placed_job_clear(), also after a failure. */
enum status job_place(struct placed_job *out, const struct job_spec *s,
                      const struct job_defaults *d, const struct platform *p, struct err *e);

void placed_job_clear(struct placed_job *j);

/** Places all jobs on separate hosts if they fit.  Jobs with hosts= or with a mapping file stay on
 *  the hosts given there, and so do the ranks of @p first (NULL: none).  The other jobs take free
 *  hosts: mapper xyz fills them in order, mapper random draws among them, and with any other mapper
 *  a rank on a full host moves to the nearest host with room (on an opaque platform, the free hosts
 *  are filled in order).  If the free hosts are too few, *shared is set and each job is placed as
 *  if it were alone.  @p out has room for all jobs.  Free with placed_jobs_clear(), also after a
 *  failure. */
enum status jobs_place(struct placed_job *out, const struct job_specs *s,
                       const struct mapping *first, const struct job_defaults *d,
                       const struct platform *p, bool *shared, struct err *e);

void placed_jobs_clear(struct placed_job *j, const struct job_specs *s);

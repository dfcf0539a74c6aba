/** @file alone.h
 *  The time that one of several jobs takes alone.
 */
#ifndef CAMPAIGN_ALONE_H
#define CAMPAIGN_ALONE_H

#include <stdio.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "sim/sim.h"

/** Simulates a job from date 0 on, once, without other jobs, load and tables of @p o, in a child
 *  process, since an engine runs once a process; to be called before sim_run().  *out is its time
 *  in s.  After a deadlock the blocked ranks are listed on @p blocked. */
enum status job_time_alone(const struct sim_options *o, const struct platform *p,
                           const struct sim_job *job, FILE *blocked, double *out, struct err *e);

/** Likewise, but with the loads of @p o. */
enum status job_time_loaded(const struct sim_options *o, const struct platform *p,
                            const struct sim_job *job, FILE *blocked, double *out, struct err *e);

#endif

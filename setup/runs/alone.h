/** @file alone.h
 *  Simulated time of a job of a run if it runs alone.
 */
#pragma once

#include <stdio.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "sim/sim.h"

/** Simulates @p job once from date 0 on, without the other jobs, the loads and the output files of
 *  @p o.  Runs in a child process, since some engines run only once in a process; call it before
 *  sim_run().  *out is the time in s.  After a deadlock the blocked ranks are listed on @p blocked.
 */
enum status job_time_alone(const struct sim_options *o, const struct platform *p,
                           const struct sim_job *job, FILE *blocked, double *out, struct err *e);

/** As job_time_alone(), but with the loads of @p o. */
enum status job_time_loaded(const struct sim_options *o, const struct platform *p,
                            const struct sim_job *job, FILE *blocked, double *out, struct err *e);

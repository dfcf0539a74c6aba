/** @file explained.h
 *  A simulation with its critical path: sim_run() (sim/sim.h) with a record of causes.
 */
#ifndef SIM_EXPLAIN_EXPLAINED_H
#define SIM_EXPLAIN_EXPLAINED_H

#include <stdio.h>

#include "common/err.h"
#include "sim/explain/path.h"
#include "sim/sim.h"

struct explained {
  struct causes *causes;
  struct path path;
  struct sim_result *result; /**< by job */
};

/** Simulates like sim_run() and finds the critical path; @p stretch and @p data as in struct
 *  path_options.  The engine must record.  The traces of the jobs must outlive *out.  Free with
 *  explained_clear(), also after a failure. */
enum status explained_run(struct explained *out, const struct sim_options *o,
                          const struct sim_job *job, size_t jobs, const struct platform *on,
                          FILE *blocked, const struct path_options *path, struct err *e);

/** Accepts a zeroed struct. */
void explained_clear(struct explained *x);

#endif

/** @file explained.h
 *  A simulation with its critical path: sim_run() (sim/sim.h) with a record of causes.
 */
#pragma once

#include <stdio.h>

#include "common/err.h"
#include "sim/explain/adjoint.h"
#include "sim/explain/chronicle.h"
#include "sim/explain/path.h"
#include "sim/sim.h"

struct explained {
  struct causes *causes;
  struct path path;
  struct adjoint derivatives; /**< if asked for */
  struct chronicle chronicle; /**< if asked for */
  struct sim_result *result;  /**< by job */
};

struct explained_options {
  /** As in struct path_options. */
  enum status (*stretch)(void *data, const struct path_stretch *s, struct err *e);
  void *data;
  bool derivatives; /**< compute `derivatives` */
  bool chronicle;   /**< collect `chronicle` */
};

/** Simulates like sim_run() and finds the critical path.  The engine must record.  The traces of
 *  the jobs must outlive *out.  Free with explained_clear(), also after a failure. */
enum status explained_run(struct explained *out, const struct sim_options *o,
                          const struct sim_job *job, size_t jobs, const struct platform *on,
                          FILE *blocked, const struct explained_options *x, struct err *e);

/** Accepts a zeroed struct. */
void explained_clear(struct explained *x);

/** @file worker.h
 *  One run of a plan in a worker process: the main function of the process, and the functions with
 *  which the campaign gets the result after the process has ended.
 */
#pragma once

#include <stdbool.h>

#include "campaign/plan/plan.h"
#include "campaign/run/store.h"
#include "common/process/workers.h"
#include "setup/settings.h"

struct run_worker {
  const struct plan *plan;
  const struct plan_run *run;
  const struct settings *settings;
  const char *options; /**< settings_text() of `settings` */
  const char *folder;  /**< folder of the finished runs */
  bool extras;         /**< also write the files for plots (enum run_extra) to `folder` */
};

/** Computes the key of the run: the prefix of the names of its files (run/store.h). */
enum status run_worker_key(const struct run_worker *w, char key[CHECKSUM_SIZE], struct err *e);

/** Loads the stored result.  *found is false if the result, or a file for plots that it lists, is
 *  missing.  Fails if a file is damaged or belongs to another run. */
enum status run_worker_load(const struct run_worker *w, struct run_result *r, bool *found,
                            struct err *e);

/** Removes an earlier result and its files. */
enum status run_worker_forget(const struct run_worker *w, struct err *e);

/** A worker_fn; @p arg is a struct run_worker.  Executes the run and stores its result, also a
 *  failure unless the environment caused it (err_of_environment()). */
int run_worker_main(void *arg);

/** True if the process stored a result and ended normally.  Another process that executes the same
 *  run may have removed the file since. */
bool run_worker_stored(const struct worker_end *end);

/** For a process that ended without storing a result: true if the run caused it (time limit or
 *  crash), false for a signal from outside or a failure of the environment. */
bool run_worker_is_result(const struct worker_end *end);

/** Gets the result after the process has ended.  If the process stored none, *r is a failure or
 *  timeout whose reason says how the process ended; *r is stored if run_worker_is_result().  Fails
 *  if a stored result has disappeared. */
enum status run_worker_end(const struct run_worker *w, const struct worker_end *end,
                           double timeout_s, struct run_result *r, struct err *e);

/** Path of the file @p extra of the run; NULL on error.  Free with free(). */
char *run_worker_extra(const struct run_worker *w, enum run_extra extra, struct err *e);

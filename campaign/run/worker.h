/** @file worker.h
 *  One run of a plan in a worker process: the work of the process, and how the campaign gets the
 *  result after the process has ended.
 */
#ifndef CAMPAIGN_RUN_WORKER_H
#define CAMPAIGN_RUN_WORKER_H

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
  bool extras;         /**< also write the files for plots there */
};

/** Computes the key of the run, with which the names of its files begin (run/store.h). */
enum status run_worker_key(const struct run_worker *w, char key[CHECKSUM_SIZE], struct err *e);

/** Loads the stored result; *found is false if the result or a file that the run must leave is
 *  missing.  A file that is damaged or belongs to another run is an error. */
enum status run_worker_load(const struct run_worker *w, struct run_result *r, bool *found,
                            struct err *e);

/** Removes an earlier result and its files. */
enum status run_worker_forget(const struct run_worker *w, struct err *e);

/** A worker_fn; @p arg is a struct run_worker.  Executes the run and stores its result.  Failures
 *  are stored too, unless the environment is their reason (err_of_environment()). */
int run_worker_main(void *arg);

/** True if the process has stored a result and ended normally.  Another process that makes the same
 *  run may have removed the file since. */
bool run_worker_stored(const struct worker_end *end);

/** For a process that ended without storing a result: true if the run itself is the reason, by the
 *  time limit or a crash, and false for a signal from outside or a failure of the environment. */
bool run_worker_is_result(const struct worker_end *end);

/** Gets the result after the process has ended.  If the process stored none, *r is a failure or
 *  timeout that tells how it ended, which is stored if run_worker_is_result().  A stored result
 *  that has disappeared is an error. */
enum status run_worker_end(const struct run_worker *w, const struct worker_end *end,
                           double timeout_s, struct run_result *r, struct err *e);

/** Path of the file @p extra of the run; NULL on error.  Free with free(). */
char *run_worker_extra(const struct run_worker *w, enum run_extra extra, struct err *e);

#endif

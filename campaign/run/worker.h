/** @file worker.h
 *  One run of a plan in a worker process: what the process does, and how the campaign gets the
 *  result when it has ended.
 */
#ifndef CAMPAIGN_RUN_WORKER_H
#define CAMPAIGN_RUN_WORKER_H

#include <stdbool.h>

#include "campaign/plan.h"
#include "campaign/run/store.h"
#include "campaign/settings.h"
#include "campaign/workers.h"

struct run_worker {
  const struct plan *plan;
  const struct plan_run *run;
  const struct settings *settings;
  const char *options; /**< settings_text() of `settings` */
  const char *folder;  /**< of the finished runs */
  bool extras;         /**< leave the files for plots there too */
};

/** The first part of the names of the run's files (run/store.h). */
enum status run_worker_key(const struct run_worker *w, char key[CHECKSUM_SIZE], struct err *e);

/** Loads the stored result; *found is false if it or one of the files that the run must leave is
 *  missing.  A file that is damaged or another run's is an error. */
enum status run_worker_load(const struct run_worker *w, struct run_result *r, bool *found,
                            struct err *e);

/** Removes an earlier result and its files. */
enum status run_worker_forget(const struct run_worker *w, struct err *e);

/** A worker_fn; @p arg is a struct run_worker.  Executes the run and stores its result, failures
 *  included unless the environment is their reason (err_of_environment()). */
int run_worker_main(void *arg);

/** Has the process stored a result and come to its end?  Others that make the same run may remove
 * the file again before it is looked for. */
bool run_worker_stored(const struct worker_end *end);

/** Is the way in which a process has ended without storing a result the run's own: the time limit
 *  or a crash, not a signal from outside or a failure of the environment? */
bool run_worker_is_result(const struct worker_end *end);

/** Gets the result after the process has ended.  If the process has stored none, returns a failure
 *  or timeout that says how it ended, and stores it if run_worker_is_result().  A result that was
 *  stored and is gone is an error. */
enum status run_worker_end(const struct run_worker *w, const struct worker_end *end,
                           double timeout_s, struct run_result *r, struct err *e);

/** Path of the file @p extra of the run.  The caller's: free(); NULL on error. */
char *run_worker_extra(const struct run_worker *w, enum run_extra extra, struct err *e);

#endif

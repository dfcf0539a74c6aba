/** @file run_worker.h
 *  One run of a plan as the work of a process: what the process does, and what the campaign makes
 *  of its end.
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
  const char *options; /**< the settings as settings_print() prints them */
  const char *folder;  /**< of the finished runs */
  bool extras;         /**< leave there what plots need */
};

/** The result, if the run has been made with all that it is to leave.  A file that is damaged or
 *  another's is an error. */
enum status run_worker_load(const struct run_worker *w, struct run_result *r, bool *found,
                            struct err *e);

/** Removes an earlier result. */
enum status run_worker_forget(const struct run_worker *w, struct err *e);

/** A worker_fn: makes the run of a struct run_worker and stores its result, also of a failure. */
int run_worker_main(void *arg);

/** The result after the process has ended: what it stored or, if it stored nothing, why; that is
 *  stored then. */
enum status run_worker_end(const struct run_worker *w, const struct worker_end *end,
                           double timeout_s, struct run_result *r, struct err *e);

/** Where it leaves that.  The caller's: free(). */
char *run_worker_extra(const struct run_worker *w, enum run_extra extra, struct err *e);

#endif

/** @file campaign.h
 *  Executes the runs of a plan, several in parallel, and writes their rows in the plan's order.
 *  A campaign can be resumed: each finished run is a file in FOLDER/runs (run/store.h) and is not
 *  repeated while its identity stays the same.  Failures that the environment may have caused are
 *  no such files, so that they are tried again.  A damaged file is named on standard error and its
 *  run is repeated.
 *
 *  Files in the folder: results.tsv, timings.tsv, runs/, platform.xml if the platform is a spec,
 *  the empty file `lock`, and on/ while others make runs (remote/submission.h).
 */
#ifndef CAMPAIGN_CAMPAIGN_H
#define CAMPAIGN_CAMPAIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "campaign/audit.h"
#include "campaign/plan.h"
#include "campaign/run/worker.h"
#include "common/err.h"

struct remote_args;

struct campaign_args {
  const struct plan *plan;
  struct settings settings;         /**< the plan's */
  const struct audit *audit;        /**< its count may be 0 */
  const char *folder;               /**< created if missing, parents included */
  uint32_t jobs;                    /**< most runs in parallel, >= 1 */
  double timeout_s;                 /**< wall-clock limit of one run; 0: none */
  bool retry_failed;                /**< repeat runs that failed or timed out earlier */
  bool overwrite;                   /**< of another campaign in the folder (folder.h) */
  const struct remote_args *remote; /**< who makes the runs; NULL: this machine */
  bool extras;                      /**< keep the files that plots need (enum run_extra) */
};

struct campaign_outcome {
  size_t made, failed; /**< runs and audits: executed now; not ok, now or earlier */
  size_t kept;         /**< failures of earlier commands, not repeated */
  char reason[256];    /**< of the first that failed, truncated; "": none did */
  bool *ok;            /**< an entry a run of the plan, then one an audit; owned */
  size_t submitted;    /**< items handed to a back end now */
  bool detached;       /**< the runs are submitted, but not awaited: there are no tables */
};

/** Fails only if the campaign itself cannot continue; a failed run is a row of results.tsv.
 *  On success the outcome is the caller's: campaign_outcome_clear(). */
enum status campaign_run(const struct campaign_args *a, struct campaign_outcome *out,
                         struct err *e);

/** Accepts a zeroed outcome. */
void campaign_outcome_clear(struct campaign_outcome *o);

/** Path of the file @p extra that run @p i of the plan leaves if it is ok.  The caller's: free();
 *  NULL on error. */
char *campaign_extra(const struct campaign_args *a, size_t i, enum run_extra extra, struct err *e);

#endif

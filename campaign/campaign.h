/** @file campaign.h
 *  Executes the runs of a plan, several in parallel, and writes their rows in the order of the
 *  plan.  A campaign can be resumed: each finished run is a file in FOLDER/runs (run/store.h) and
 *  is not repeated while its identity stays the same.  Failures that the environment may have
 *  caused are not stored, so that resuming repeats these runs.  A damaged file is reported on
 *  standard error and its run is repeated.
 *
 *  Files in the folder: results.tsv, timings.tsv, repeats.tsv if runs are repeated, summary.tsv,
 *  differences.tsv, runs/, platform.xml if the platform is a spec that SimGrid can simulate
 *  (platform-1.xml and so on for several machines), the empty file `lock`, and on/ while other
 *  machines execute runs (remote/submission.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "campaign/plan/audit.h"
#include "campaign/plan/plan.h"
#include "campaign/run/worker.h"
#include "common/err.h"

struct remote_args;

struct campaign_args {
  const struct plan *plan;
  struct settings settings;         /**< settings of the plan */
  const struct audit *audit;        /**< its count may be 0 */
  const char *folder;               /**< created if missing, parents included */
  uint32_t jobs;                    /**< maximum number of parallel runs, >= 1 */
  double timeout_s;                 /**< wall-clock limit of one run; 0: none */
  bool retry_failed;                /**< repeat runs that failed or timed out earlier */
  bool overwrite;                   /**< replace another campaign found in the folder */
  const struct remote_args *remote; /**< back end that executes the runs; NULL: this machine */
  bool extras;                      /**< keep the files that plots need (enum run_extra) */
};

struct campaign_outcome {
  size_t made;      /**< runs and audits that this command executed */
  size_t failed;    /**< runs and audits that are not ok, including failures kept */
  size_t kept;      /**< failures of earlier commands that were not repeated */
  char reason[256]; /**< reason of the first failure in the plan, truncated; "": no failure */
  bool *ok;         /**< one entry for each run of the plan, then one for each audit; owned */
  size_t submitted; /**< runs and audits submitted to a back end by this command */
  bool detached;    /**< returned without waiting for submitted runs: tables are incomplete */
};

/** Fails only if the campaign itself cannot continue; a failed run is a row of results.tsv.  On
 *  success, free *out with campaign_outcome_clear(). */
enum status campaign_run(const struct campaign_args *a, struct campaign_outcome *out,
                         struct err *e);

/** Accepts a zeroed struct. */
void campaign_outcome_clear(struct campaign_outcome *o);

/** Path of the file @p extra that run @p i of the plan writes if it is ok; NULL on error.  Free
 *  with free(). */
char *campaign_extra(const struct campaign_args *a, size_t i, enum run_extra extra, struct err *e);

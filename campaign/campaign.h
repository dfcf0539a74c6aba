/** @file campaign.h
 *  Makes the runs of a plan, some at a time, and writes their rows in order.  What is finished
 *  stays finished: each run is a file in FOLDER/runs (run_store.h), and one that is there with the
 *  same identity is not made again.  A damaged one is: standard error names it.
 *
 *  Leaves in the folder: results.tsv, timings.tsv, runs/, platform.xml if the platform was a spec,
 *  and an empty file, lock.
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

struct campaign_args {
  const struct plan *plan;
  struct settings settings;  /**< the plan's */
  const struct audit *audit; /**< may be of no runs */
  const char *folder;        /**< made if it is not there */
  uint32_t jobs;             /**< runs at a time */
  double timeout_s;          /**< of one run; 0: none */
  bool retry_failed;         /**< make again what has failed or timed out */
  bool extras;               /**< keep what plots need of some runs (campaign_plots.h) */
};

struct campaign_outcome {
  size_t made, failed; /**< runs and audits made now; failed or timed out, now or before */
  bool *ok;            /**< by run of the plan, then by audit */
};

/** Fails only if the campaign itself cannot go on; failed runs are rows.  On success the outcome
 *  is the caller's: campaign_outcome_clear(). */
enum status campaign_run(const struct campaign_args *a, struct campaign_outcome *out,
                         struct err *e);

void campaign_outcome_clear(struct campaign_outcome *o);

/** Where run @p i of the plan, if it is ok, has left what plots need.  The caller's: free(). */
char *campaign_extra(const struct campaign_args *a, size_t i, enum run_extra extra, struct err *e);

#endif

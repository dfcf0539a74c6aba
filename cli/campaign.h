/** @file campaign.h
 *  Makes the runs of a plan, some at a time, and writes their rows in order.  What is finished
 *  stays finished: each run is a file in FOLDER/runs (run_store.h), and one that is there with the
 *  same identity is not made again.
 *
 *  Leaves in the folder: results.tsv, timings.tsv, runs/, platform.xml if the platform was a spec.
 */
#ifndef CLI_CAMPAIGN_H
#define CLI_CAMPAIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/plan.h"
#include "common/err.h"

struct campaign_args {
  const struct plan *plan;
  struct model_args model; /**< the plan's */
  const char *folder;      /**< made if it is not there */
  uint32_t jobs;           /**< runs at a time */
  double timeout_s;        /**< of one run; 0: none */
  bool retry_failed;       /**< make again what has failed or timed out */
  bool links;              /**< keep the link loads of each mapper's first seed */
};

struct campaign_counts {
  size_t runs, made, failed; /**< all; made now; failed or timed out, now or before */
};

/** Fails only if the campaign itself cannot go on; failed runs are rows. */
enum status campaign_run(const struct campaign_args *a, struct campaign_counts *out, struct err *e);

/** The link loads of run @p i of the plan, if they were kept.  The caller's: free(). */
char *campaign_links(const struct campaign_args *a, size_t i, struct err *e);

#endif

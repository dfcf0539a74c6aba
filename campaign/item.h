/** @file item.h
 *  Items of a campaign: the runs of its plan, then the audits, numbered consecutively from 0.
 *  Describes items and loads their results, but does not execute them.
 */
#pragma once

#include <stddef.h>

#include "campaign/campaign.h"
#include "campaign/run/worker.h"

/** Number of items. */
size_t item_count(const struct campaign_args *a);

/** The run of item @p i; for an audit, the run that is audited. */
const struct plan_run *item_run(const struct campaign_args *a, size_t i);

/** Group of an item, and number of groups.  Items of a group are expected to take similar times:
 *  each subject has a group for its runs and another for its audits. */
size_t item_group(const struct campaign_args *a, size_t i);
size_t item_groups(const struct campaign_args *a);

/** The worker for item @p i, which stores the result in the folder @p runs. */
struct run_worker item_worker(const struct campaign_args *a, const char *runs, size_t i);

/** State of the stored result of an item. */
enum item_state {
  ITEM_ABSENT,
  ITEM_REFUSED, /**< the result is damaged, or a failure that must be repeated */
  ITEM_STORED   /**< *r is the result */
};

/** Reads the result of item @p i in the folder @p runs.  Reports a damaged file on standard error.
 */
enum item_state item_load(const struct campaign_args *a, const char *runs, size_t i,
                          struct run_result *r);

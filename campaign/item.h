/** @file item.h
 *  The items of a campaign: the runs of its plan, then the audits of some of them, numbered
 *  together.  What an item is, and whether its result is stored; not who makes it, or where.
 */
#ifndef CAMPAIGN_ITEM_H
#define CAMPAIGN_ITEM_H

#include <stdbool.h>
#include <stddef.h>

#include "campaign/campaign.h"
#include "campaign/run/worker.h"

/** Number of items. */
size_t item_count(const struct campaign_args *a);

/** The run, or the one that is audited. */
const struct plan_run *item_run(const struct campaign_args *a, size_t i);

/** Items that should take about the same time: one group a trace, and another for its audits. */
size_t item_group(const struct campaign_args *a, size_t i);
size_t item_groups(const struct campaign_args *a);

/** What makes item @p i; its result goes into the folder @p runs. */
struct run_worker item_worker(const struct campaign_args *a, const char *runs, size_t i);

/** The result of an item in the folder @p runs. */
enum item_state {
  ITEM_ABSENT,
  ITEM_REFUSED, /**< there, but damaged, or a failure that is to be made again */
  ITEM_STORED   /**< *r is it */
};

/** Reads the result.  What is damaged is named on standard error. */
enum item_state item_load(const struct campaign_args *a, const char *runs, size_t i,
                          struct run_result *r);

#endif

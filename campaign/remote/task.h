/** @file task.h
 *  Runs a task of a submission on this machine: executes its items, --jobs in parallel, and stores
 *  their results in the campaign's folder.
 */
#pragma once

#include "campaign/campaign.h"
#include "campaign/remote/submission.h"
#include "common/err.h"

/** Executes the items of @p s that have no result yet.  The plan of @p a needs the data only of the
 *  subjects of these items.  A failure that this machine may have caused is not stored, so that
 *  another machine executes the run; task_make() then fails after all items have been executed. */
enum status task_make(const struct campaign_args *a, const struct submission *s, struct err *e);

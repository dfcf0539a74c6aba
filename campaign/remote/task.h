/** @file task.h
 *  Runs a task of a submission on this machine: makes its items, one or a few at a time, and stores
 *  their results in the campaign's folder.
 */
#pragma once

#include "campaign/campaign.h"
#include "campaign/remote/submission.h"
#include "common/err.h"

/** Makes the items of @p s that have no result yet; the plan of @p a needs to know only their
 *  subjects.  Failures that may be due to this machine leave no result, so that the run is made on
 *  another one.  If there are any, fails after all items have been tried. */
enum status task_make(const struct campaign_args *a, const struct submission *s, struct err *e);

/** @file task.h
 *  What a task of a submission does on the machine where it runs: makes its items, one after the
 *  other or a few at a time, and leaves their results in the campaign's folder.
 */
#ifndef CAMPAIGN_REMOTE_TASK_H
#define CAMPAIGN_REMOTE_TASK_H

#include "campaign/campaign.h"
#include "campaign/remote/submission.h"
#include "common/err.h"

/** Makes the items of @p s that have no result yet; the plan of @p a need only know their traces.
 *  What only this machine may fail at leaves no result: the run is made somewhere else.  Fails,
 * when all is tried, if there are such items. */
enum status task_make(const struct campaign_args *a, const struct submission *s, struct err *e);

#endif

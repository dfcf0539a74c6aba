/** @file folder.h
 *  Checks that a folder holds no other campaign, or removes the other campaign's files.
 */
#pragma once

#include <stdbool.h>

#include "campaign/plan/plan.h"
#include "common/err.h"

/** Succeeds if the existing @p folder has no results.tsv or an empty one, or if @p p continues the
 *  campaign of results.tsv: the plan includes all platforms, values of options that a plan may list
 *  (campaign/plan/machine.h), subjects, methods, seeds and repetitions of that campaign, and all
 *  other options are equal.  If the folder holds another campaign, or a results.tsv of no campaign,
 *  fails without @p overwrite; with @p overwrite, removes its tables, copies of platforms and runs,
 *  but no pictures (plots/campaign_plots.h reports pictures that are not drawn again).  Also fails
 *  with @p overwrite while runs of the other campaign are submitted (remote/submission.h). */
enum status campaign_folder_claim(const char *folder, const struct plan *p, bool overwrite,
                                  struct err *e);

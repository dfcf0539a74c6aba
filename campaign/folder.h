/** @file folder.h
 *  Checks that a folder holds no other campaign, or removes the other campaign's files.
 */
#pragma once

#include <stdbool.h>

#include "campaign/plan/plan.h"
#include "common/err.h"

/** Succeeds if the existing @p folder has no results.tsv, or if @p p continues the campaign of
 *  results.tsv: platforms and options are equal, and the plan includes all subjects, methods, seeds
 *  and repetitions of that campaign.  If the folder holds another campaign, or a results.tsv of no
 *  campaign, fails without @p overwrite; with @p overwrite, removes its tables and runs, but no
 *  pictures (plots/campaign_plots.h reports pictures that are not drawn again).  Also fails with
 *  @p overwrite while runs of the other campaign are submitted (remote/submission.h). */
enum status campaign_folder_claim(const char *folder, const struct plan *p, bool overwrite,
                                  struct err *e);

/** @file folder.h
 *  The folder of a campaign: checks which campaign its results belong to, and empties it.
 */
#pragma once

#include <stdbool.h>

#include "campaign/plan/plan.h"
#include "common/err.h"

/** Checks that @p folder, which exists, has no results.tsv, or results of a campaign that @p p
 *  continues: same platform and options, and all subjects, methods, seeds and repetitions of the
 *  old campaign are in the plan.  If the folder holds another campaign, removes its tables and runs
 *  if @p overwrite is set, and fails if not.  Pictures stay until they are drawn again
 *  (plots/album.h reports the others). */
enum status campaign_folder_claim(const char *folder, const struct plan *p, bool overwrite,
                                  struct err *e);

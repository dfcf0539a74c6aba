/** @file folder.h
 *  The folder of a campaign: whose results it holds, and how it is emptied.
 */
#ifndef CAMPAIGN_FOLDER_H
#define CAMPAIGN_FOLDER_H

#include <stdbool.h>

#include "campaign/plan.h"
#include "common/err.h"

/** Checks that @p folder, which exists, has no results.tsv or one of a campaign that @p p
 *  continues: platform and options are the same, and all its subjects, methods, seeds and
 *  repetitions are in the plan, which may have more.  If it holds another campaign, removes its
 *  tables and runs if @p overwrite is set, and fails if not.  Pictures stay until they are drawn
 *  again (plots/album.h names the others). */
enum status campaign_folder_claim(const char *folder, const struct plan *p, bool overwrite,
                                  struct err *e);

#endif

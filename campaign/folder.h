/** @file folder.h
 *  Checks that a folder holds no other campaign, or removes the other campaign's files.
 */
#pragma once

#include <stdbool.h>

#include "campaign/plan/plan.h"
#include "common/err.h"

/** Succeeds if the existing @p folder has no results.tsv, or one of a campaign that @p p continues:
 *  equal platforms and options, and the plan includes all its subjects, methods, seeds and
 *  repetitions.  If the folder holds another campaign: with @p overwrite, removes its tables and
 *  runs, but no pictures (plots/album.h reports pictures that are not drawn again); without
 *  it, fails. */
enum status campaign_folder_claim(const char *folder, const struct plan *p, bool overwrite,
                                  struct err *e);

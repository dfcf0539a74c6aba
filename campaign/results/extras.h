/** @file extras.h
 *  Finds the files for pictures (enum run_extra) in the folder of a finished campaign, without its
 *  plan.  Files of other campaigns in the same folder are ignored.
 */
#pragma once

#include <stddef.h>

#include "campaign/results/provenance.h"
#include "campaign/run/result.h"
#include "common/err.h"

struct extra {
  char *path;
  char *trace;                    /**< name as in results.tsv */
  char *mapper;                   /**< spec with its seed */
  char *platform;                 /**< name as in provenance */
  char *machine;                  /**< machine_label() of the rows in results.tsv */
  size_t trace_line, mapper_line; /**< indices of their lines in the campaign's provenance */
};

/** Empty if zeroed. */
struct extras {
  struct extra *extra; /**< sorted by trace, machine, then mapper; owned, texts included */
  size_t count, room;
};

/** Finds the files of kind @p kind that runs of campaign @p p left in @p folder.  On success, free
 *  *x with extras_clear(). */
enum status extras_find(struct extras *x, const char *folder, const struct provenance *p,
                        enum run_extra kind, struct err *e);

/** Accepts a zeroed struct. */
void extras_clear(struct extras *x);

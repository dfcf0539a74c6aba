/** @file extras.h
 *  The files for pictures that the runs of a finished campaign have left in its folder, found there
 *  without a plan.  Those of other campaigns in the same folder do not count.
 */
#ifndef CAMPAIGN_EXTRAS_H
#define CAMPAIGN_EXTRAS_H

#include <stddef.h>

#include "campaign/provenance.h"
#include "campaign/run/result.h"
#include "common/err.h"

struct extra {
  char *path;
  char *trace, *mapper;           /**< as results.tsv names them, but the mapper with its seed */
  size_t trace_line, mapper_line; /**< in the campaign's provenance */
};

/** Zeroed: empty. */
struct extras {
  struct extra *extra; /**< by trace, then mapper; owned, as their texts */
  size_t count, room;
};

/** Finds the files of one kind that runs of campaign @p p have left in @p folder.  On success *x is
 *  the caller's: extras_clear(). */
enum status extras_find(struct extras *x, const char *folder, const struct provenance *p,
                        enum run_extra kind, struct err *e);

/** Accepts zeroed ones. */
void extras_clear(struct extras *x);

#endif

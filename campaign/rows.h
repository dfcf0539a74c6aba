/** @file campaign_rows.h
 *  results.tsv and timings.tsv of a campaign: rows in the order of the plan, each written and
 *  flushed when its turn comes, whatever the order in which runs finish.
 */
#ifndef CAMPAIGN_ROWS_H
#define CAMPAIGN_ROWS_H

#include <stdbool.h>

#include "campaign/audit.h"
#include "campaign/plan.h"
#include "campaign/run/result.h"
#include "common/err.h"

struct rows;

/** Begins both files in @p folder, over what was there.  An audit of at least one run adds a
 *  column.  The caller's: rows_free(). */
enum status rows_open(struct rows **out, const struct plan *p, const struct audit *a,
                      const char *folder, struct err *e);

/** Accepts NULL. */
void rows_free(struct rows *r);

/** Writes the rows of all runs before the first that is not done, its audit included; both arrays
 *  by run of the plan, then by audit. */
enum status rows_flush(struct rows *r, const bool *done, const struct run_result *result,
                       struct err *e);

/** Were all rows written? */
enum status rows_close(struct rows *r, struct err *e);

#endif

/** @file rows.h
 *  Writer of a campaign's results.tsv and timings.tsv: rows in the order of the plan, each written
 *  and flushed as soon as all before it are, whatever the order in which runs finish.
 */
#ifndef CAMPAIGN_ROWS_H
#define CAMPAIGN_ROWS_H

#include <stdbool.h>

#include "campaign/audit.h"
#include "campaign/plan.h"
#include "campaign/run/result.h"
#include "common/err.h"

struct rows;

/** Creates or truncates both files in @p folder and writes their headers.  A non-empty audit adds
 *  the column audit_difference.  @p p and @p a must outlive *out, the caller's: rows_free(). */
enum status rows_open(struct rows **out, const struct plan *p, const struct audit *a,
                      const char *folder, struct err *e);

/** Closes the files.  Accepts NULL. */
void rows_free(struct rows *r);

/** Writes the new rows of all runs before the first that is not done; a run is done when its audit
 *  is too.  Both arrays have an entry a run of the plan, then one an audit. */
enum status rows_flush(struct rows *r, const bool *done, const struct run_result *result,
                       struct err *e);

/** Flushes; fails if rows are missing or a write has failed. */
enum status rows_close(struct rows *r, struct err *e);

#endif

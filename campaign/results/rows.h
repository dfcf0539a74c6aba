/** @file rows.h
 *  Writer of results.tsv, timings.tsv and, if runs are repeated, repeats.tsv of a campaign.  The
 *  rows have the order of the plan, whatever the order in which runs finish: a row is written and
 *  flushed once it is done and all rows before it are written.
 */
#pragma once

#include <stdbool.h>

#include "campaign/plan/audit.h"
#include "campaign/plan/plan.h"
#include "campaign/run/result.h"
#include "common/err.h"

struct rows;

/** Creates or truncates the files in @p folder and writes their headers.  A non-empty audit adds
 *  the column audit_difference.  @p p and @p a must outlive *out.  Free *out with rows_free(). */
enum status rows_open(struct rows **out, const struct plan *p, const struct audit *a,
                      const char *folder, struct err *e);

/** Closes the files.  Accepts NULL. */
void rows_free(struct rows *r);

/** Writes the unwritten rows before the first row that is not done.  A row is done when its runs
 *  and their audits are done.  @p done and @p result have one entry for each run of the plan, then
 *  one for each audit. */
enum status rows_flush(struct rows *r, const bool *done, const struct run_result *result,
                       struct err *e);

/** Flushes; fails if rows are missing or a write has failed. */
enum status rows_close(struct rows *r, struct err *e);

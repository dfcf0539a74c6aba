/** @file summary.h
 *  What a campaign says: the mappers of each trace in the order of their mean times, and which of
 *  the differences are more than chance.
 */
#ifndef CAMPAIGN_SUMMARY_H
#define CAMPAIGN_SUMMARY_H

#include "campaign/plan.h"
#include "campaign/run/result.h"
#include "common/err.h"

/** Writes summary.tsv, a row for each trace and mapper with runs that are ok, best first, and
 *  differences.tsv, a row for each two mappers on a trace, into @p folder; @p result is by run.
 *
 *  Two mappers on one trace are compared by Welch's t-test over the runs, or over the means of the
 *  seeds if there are several.  With two traces or more, rows of trace "*" follow: geometric means
 *  over traces of the time relative to the best mapper's, of mappers that are ok on all, compared
 *  by a paired t-test of the logarithms.  All p-values are corrected together (Holm); a difference
 *  is significant below 0.05.  Of more than 2^20 pairs only those with the best mapper of a trace
 *  are compared. */
enum status summary_write(const struct plan *p, const struct run_result *result, const char *folder,
                          struct err *e);

#endif

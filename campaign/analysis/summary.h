/** @file summary.h
 *  Writes the summary of a campaign: the methods of each subject (kind.h) in the order of their
 *  mean times, and which differences are significant.
 */
#pragma once

#include "campaign/plan/plan.h"
#include "campaign/run/result.h"
#include "common/err.h"

/** Writes two files to @p folder: summary.tsv, with a row for each subject and method with ok runs,
 *  best first; and differences.tsv, with a row for each pair of methods on a subject.  @p result
 *  has one entry per run of the plan.
 *
 *  Two mappers on one trace are compared by Welch's t-test over the runs, or over the means of the
 *  seeds if there are several; two schedulers on one network by a paired t-test of the logarithms
 *  over the repetitions.  With two subjects or more, rows of subject "*" follow: geometric means
 *  over subjects of time / best time, for methods that are ok on all subjects, compared by a paired
 *  t-test of the logarithms.  With several machines there are such rows for each machine, then over
 *  all machines, with "*" for the machine too.  All p-values are corrected together (Holm); a
 *  difference is significant below 0.05.  With more than 2^20 pairs, methods are compared only with
 *  the best method of their subject. */
enum status summary_write(const struct plan *p, const struct run_result *result, const char *folder,
                          struct err *e);

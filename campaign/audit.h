/** @file audit.h
 *  The runs of a plan that are made a second time on SimGrid, the reference, and how far their
 *  simulated times lie apart.
 */
#ifndef CAMPAIGN_AUDIT_H
#define CAMPAIGN_AUDIT_H

#include <stddef.h>
#include <stdint.h>

#include "campaign/plan.h"
#include "campaign/run/result.h"
#include "campaign/settings.h"
#include "common/err.h"

struct audit {
  size_t *run; /**< indices of runs of the plan, rising; owned */
  size_t count;
  uint64_t wanted, seed;
  struct settings settings; /**< the plan's, on SimGrid, precise enough to compare engines */
  char *options;            /**< as settings_print() prints them; owned */
};

/** Draws @p wanted runs, all if there are not so many, by @p seed.  The caller's:
 *  audit_clear(). */
enum status audit_draw(struct audit *a, const struct plan *p, const struct settings *settings,
                       uint64_t wanted, uint64_t seed, struct err *e);

/** Accepts a zeroed audit. */
void audit_clear(struct audit *a);

/** Which of the audits is that of run @p run; a->count if none is. */
size_t audit_find(const struct audit *a, size_t run);

/** |simulated time - the reference's| over the reference's, of two runs that are ok. */
double audit_difference(const struct run_result *r, const struct run_result *reference);

#endif

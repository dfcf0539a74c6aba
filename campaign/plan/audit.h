/** @file audit.h
 *  Audit of a campaign: a random sample of its runs is simulated again on SimGrid, the reference
 *  engine, and the simulated times are compared.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "campaign/plan/plan.h"
#include "campaign/run/result.h"
#include "common/err.h"
#include "setup/settings.h"

struct audit {
  size_t *run; /**< indices of the drawn runs in the plan, ascending; owned */
  size_t count;
  uint64_t wanted, seed;     /**< number of runs requested; seed of the draw */
  struct settings *settings; /**< one per machine: the settings of the machine, but with engine
                                simgrid and fixed precisions; owned */
  char *options; /**< settings_text() of the campaign's settings with engine simgrid and fixed
                      precisions; owned */
};

/** Draws @p wanted distinct runs, or all runs if the plan has fewer, from random stream (@p seed,
 *  0). On success, free *a with audit_clear(). */
enum status audit_draw(struct audit *a, const struct plan *p, const struct settings *settings,
                       uint64_t wanted, uint64_t seed, struct err *e);

/** Accepts a zeroed struct. */
void audit_clear(struct audit *a);

/** Index in a->run of run @p run of the plan; a->count if it is not audited.  O(log count). */
size_t audit_find(const struct audit *a, size_t run);

/** |r - reference| / reference of the simulated times.  Both runs must be ok. */
double audit_difference(const struct run_result *r, const struct run_result *reference);

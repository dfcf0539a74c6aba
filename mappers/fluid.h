/** @file fluid.h
 *  The durations of flows that share links: SimGrid's fluid model (weighted max-min fairness,
 *  MaxMin::maxmin_solve in src/kernel/lmm/maxmin.cpp of 3.32) for a single batch.  For estimates:
 *  unlike an engine, it knows no programs, and needs the starts of all flows beforehand.
 *
 *  Rates are computed again when a quarter of the active flows, at least one, has ended.  Ends are
 *  exact as long as at most 4 flows are active, or at least a quarter of the active flows end at
 *  one time; other ends are slightly late.  Starts that differ by less than 1 % of the shortest
 *  duration of a flow without other flows on its links count as one.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

struct fluid;

/** Equal flows. */
struct fluid_flow {
  double count;   /**< number of flows, above 0; may be a mean */
  double bytes;   /**< of each, above 0 */
  double penalty; /**< above 0: flows share a link in inverse proportion to it */
  double bound;   /**< largest rate of each in bytes/s; INFINITY: none */
  double start_s; /**< when they begin to share links, at least 0 */
};

/** For the shared links of @p p, which must not be opaque and must outlive *out.  The caller frees
 *  *out with fluid_free(). */
enum status fluid_new(struct fluid **out, const struct platform *p, struct err *e);

/** Accepts NULL. */
void fluid_free(struct fluid *x);

/** Begins a batch without flows.  Its errors are reported in @p e. */
void fluid_begin(struct fluid *x, struct err *e);

/** Adds flows without links to the batch. */
enum status fluid_add(struct fluid *x, const struct fluid_flow *f);

/** Adds links to the flows that were added last, which take @p share of their rate on each.  Links
 *  that are not shared are ignored. */
enum status fluid_use(struct fluid *x, const uint32_t *link, uint32_t links, double share);

/** Sets end_s[i] to the time in s at which the flows of the fluid_add() numbered i, from 0, end.
 *  O(rounds * (uses + links * levels)), with at most 4 + 4 ln(flows) rounds for each start, and at
 *  most one level (fluid.c) for each flow. */
enum status fluid_run(struct fluid *x, double *end_s);

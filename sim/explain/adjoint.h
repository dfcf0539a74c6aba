/** @file adjoint.h
 *  Derivatives of the simulated time by all bandwidths, latencies and host speeds at once: a
 *  backward sweep over a recorded run (rewind.h) that gives each event the derivative of the end of
 *  the run by the date of the event.  Exact while the order of events stays.
 *
 *  docs/developers/explain.md derives the equations.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "sim/explain/rewind.h"
#include "sim/flow/causes.h"

/** Values that one sweep computes together.
 *  - EQUAL: the derivative if the choices of the engine stay; the events of one date have equal
 *    parts in the change of rates.
 *  - MIXED: the derivative if, at each tie, a random part of each bar takes the other choice.
 *  - NEAR and NEAR + 1, for adjoint_holds_to(): two sums of 1 / x, with random signs, over the
 *    decisions of the run.  A decision is which of two dates is later, or which of two levels is
 *    lower; to first order it changes once the parameter changes by x. */
enum adjoint_lane { ADJOINT_EQUAL, ADJOINT_MIXED, ADJOINT_NEAR, ADJOINT_LANES = ADJOINT_NEAR + 2 };

/** The bar of a quantity: the derivative of the end of the run by the quantity. */
struct adjoint_bar {
  double of[ADJOINT_LANES];
};

struct adjoint_options {
  const struct platform *platform;
  const bool *background; /**< by job, as in struct path_options */
  double weight_bytes;    /**< of the model (sim/model.h) */
};

/** Derivatives in s per unit of the parameter (NEAR: 1 per unit); by link of the maxmin, or by
 *  host. */
struct adjoint {
  double *bandwidth; /**< per byte/s; the value EQUAL of the bar */
  /** Added to `bandwidth` if the link alone gets slower, not if it gets faster: other links of the
   *  route limit the rate equally. */
  double *tied;
  struct adjoint_bar *one;     /**< by bandwidths, as if only the recorded link limited each flow */
  struct adjoint_bar *latency; /**< per s */
  bool *kink;                  /**< by link: flows on it use a link with a kink in its level */
  struct adjoint_bar *speed;   /**< per flop/s of all cores of the host */
  uint32_t links, hosts;
  /** Per relative change of all bandwidths, of all latencies, and of all speeds, in proportion. */
  struct adjoint_bar all_bandwidths, all_latencies, all_speeds;
};

/** Estimates the change of a parameter up to which its derivative holds: a quarter of 1 / sqrt(S),
 *  where S is the sum of 1 / x² over the decisions, which the least x dominates.  The factor of a
 *  quarter is for decisions that the sum lacks, and for levels that depend on several decisions.
 *  INFINITY if no decision depends on the parameter. */
double adjoint_holds_to(const struct adjoint_bar *x);

/** Frees the arrays; accepts a zeroed struct. */
void adjoint_clear(struct adjoint *a);

struct sweep;

/** Begins a sweep over the run that @p r reads backwards, at its end.  *result, @p r and the
 *  options must outlive the sweep.  The caller frees *out with adjoint_free(), and *result with
 *  adjoint_clear(), both also after a failure. */
enum status adjoint_begin(struct sweep **out, struct adjoint *result, const struct rewind *r,
                          const struct adjoint_options *o, struct err *e);

/** Take an event that rewind_next() has read: the first is called before rewind_undo(), the second
 *  after it if the event changes the state (rewind_changes()).  Fails if a profile changes links or
 *  hosts during the run.  A whole sweep takes O(events + groups of flows, by link and bottleneck,
 *  whose rate changes + hops of flows that change their bottleneck). */
enum status adjoint_before(struct sweep *w, struct err *e);
enum status adjoint_after(struct sweep *w, struct err *e);

/** Accepts NULL. */
void adjoint_free(struct sweep *w);

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

/** Numbers that one sweep finds together.
 *  EQUAL: the derivative if the engine's choices stay; of several events at one date each has the
 *  same part in the change of rates.
 *  MIXED: the derivative if a random part of each bar takes the other choice at each tie.
 *  NEAR and the next: two random sums, with other signs, of 1 / x over the decisions of the run.  A
 *  decision is which of two dates is later, or which of two levels is lower; by first order it
 *  changes once the parameter changes by x.  adjoint_holds_to() */
enum adjoint_lane { ADJOINT_EQUAL, ADJOINT_MIXED, ADJOINT_NEAR, ADJOINT_LANES = ADJOINT_NEAR + 2 };

struct adjoint_bar {
  double of[ADJOINT_LANES];
};

struct adjoint_options {
  const struct platform *platform;
  const bool *background; /**< by job, as in struct path_options */
  double weight_s;        /**< of the model (sim/model.h) */
};

/** Derivatives in s per unit of the parameter (NEAR: 1 per unit); by link of the maxmin, or by
 *  host. */
struct adjoint {
  double *bandwidth; /**< per byte/s; ties: EQUAL */
  /** Added to `bandwidth` if the link alone gets slower, not if it gets faster: other links of the
   *  route limit the rate equally. */
  double *tied;
  struct adjoint_bar *one;     /**< of bandwidths, as if only the recorded link limited each flow */
  struct adjoint_bar *latency; /**< per s */
  bool *kink;                /**< by link: the levels of links that flows there use are at a kink */
  struct adjoint_bar *speed; /**< per flop/s of all cores of the host */
  uint32_t links, hosts;
  /** s, if all bandwidths grow in proportion: per relative change; all latencies; all speeds. */
  struct adjoint_bar all_bandwidths, all_latencies, all_speeds;
};

/** The change of a parameter up to which a derivative holds, an estimate: a quarter of the root of
 *  1 / (sum of 1 / x² over the decisions), which the least x dominates.  A quarter, since the sum
 *  does not have all decisions, and since levels change with more than one of them.  INFINITY if no
 *  decision depends on the parameter. */
double adjoint_holds_to(const struct adjoint_bar *x);

/** Frees the arrays; accepts a zeroed struct. */
void adjoint_clear(struct adjoint *a);

struct sweep;

/** Begins a sweep over the run that @p r reads backwards, at its end.  *result, @p r and the
 *  options must outlive the sweep.  The caller frees *out with adjoint_free(), and *result with
 *  adjoint_clear(), both also after a failure. */
enum status adjoint_begin(struct sweep **out, struct adjoint *result, const struct rewind *r,
                          const struct adjoint_options *o, struct err *e);

/** Takes an event that rewind_next() has read: before rewind_undo(), then after it if the event
 *  changes the state (rewind_changes()).  Fails if a
 *  profile changes links or hosts during the run.  A whole sweep takes O(events + groups of flows,
 *  by link and bottleneck, whose rate changes + hops of flows that change their bottleneck). */
enum status adjoint_before(struct sweep *w, struct err *e);
enum status adjoint_after(struct sweep *w, struct err *e);

/** Accepts NULL. */
void adjoint_free(struct sweep *w);

/** @file adjoint.h
 *  Derivatives of the simulated time by all bandwidths, latencies and host speeds at once: a
 *  backward sweep over a recorded run (rewind.h) that gives each event the derivative of the end of
 *  the run by the date of the event.  Exact while the order of events stays.
 *
 *  docs/developers/explain.md derives the equations.
 */
#ifndef SIM_EXPLAIN_ADJOINT_H
#define SIM_EXPLAIN_ADJOINT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "sim/flow/causes.h"

/** Treatments of ties.  EQUAL: the engine's choice; of several events at one date each has the same
 *  part in the change of rates.  FIRST: the other choice.  MIXED: one of both, at random. */
enum adjoint_ties { ADJOINT_EQUAL, ADJOINT_FIRST, ADJOINT_MIXED, ADJOINT_TIES };

struct adjoint_options {
  const struct platform *platform;
  const bool *background; /**< by job, as in struct path_options */
  double weight_s;        /**< of the model (sim/model.h) */
  enum adjoint_ties ties;
};

/** Derivatives in s per unit of the parameter; by link of the maxmin, or by host. */
struct adjoint {
  double *bandwidth; /**< per byte/s */
  /** Added to `bandwidth` if the link alone gets slower, not if it gets faster: other links of the
   *  route limit the rate equally. */
  double *tied;
  double *one;     /**< of bandwidths, as if only the recorded link limited each flow; to compare
                      treatments of ties */
  double *latency; /**< per s */
  bool *kink;      /**< by link: the levels of links that flows there use are at a kink */
  double *speed;   /**< per flop/s of all cores of the host */
  uint32_t links, hosts;
  double all_bandwidths; /**< s, if all bandwidths grow in proportion: per relative change */
  double all_latencies, all_speeds; /**< s, per relative change of all latencies, or all speeds */
};

/** Frees the arrays; accepts a zeroed struct. */
void adjoint_clear(struct adjoint *a);

/** Sweeps back through a run.  Fails if profiles change links or hosts during the run.  Free *out
 *  with adjoint_clear(), also after a failure.  O(events + hops of flows whose rate changes). */
enum status adjoint_find(struct adjoint *out, const struct causes *c,
                         const struct adjoint_options *o, struct err *e);

#endif

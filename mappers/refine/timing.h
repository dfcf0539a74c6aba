/** @file timing.h
 *  A smooth estimate of the time of a program.  An exchange of two ranks updates it in time
 *  proportional to their messages.  The estimate is a sum.  Each phase (traces/matrix/phases.h)
 *  adds the mean latency of its messages and the 8-norm of the seconds that each link takes for its
 *  bytes.  The whole program adds the 16-norm of the seconds that each host takes for its
 *  computations.  Without phases (struct mapper_input), the traffic is one phase.
 */
#pragma once

#include "common/err.h"
#include "mappers/mapper.h"

struct timing;
struct swaps;

/** Estimates the time of the placement that @p s holds.  @p s, its routes and in->platform must
 *  outlive *out.  The caller frees *out with timing_free(), also after a failure, which may leave
 *  it NULL. */
enum status timing_new(struct timing **out, struct swaps *s, const struct mapper_input *in,
                       struct err *e);

/** Accepts NULL. */
void timing_free(struct timing *t);

/** The change of the estimate, in s, by the exchange that @p s tries.  timing_take() or
 *  timing_drop() must follow.  O(messages of the two ranks * links of their routes). */
double timing_try(struct timing *t, struct swaps *s);

/** Makes the exchange of the last timing_try(). */
void timing_take(struct timing *t);

/** Forgets the exchange of the last timing_try(). */
void timing_drop(struct timing *t);

/** Computes all sums anew, because each timing_take() adds a rounding error.  O(phases * links). */
void timing_refresh(struct timing *t);

/** The estimate in seconds.  O(phases). */
double timing_value(const struct timing *t);

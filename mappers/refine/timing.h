/** @file timing.h
 *  A smooth estimate of the time of a program.  An exchange of two ranks updates it in time
 *  proportional to their messages.  It is the sum over the phases (traces/matrix/phases.h) of the
 *  mean latency of the messages plus the 8-norm of the seconds that each link takes for its bytes;
 *  and, for the whole program, the 16-norm of the seconds that each host takes for its
 *  computations.  Without phases (struct mapper_input), the traffic is one phase.
 */
#pragma once

#include "common/err.h"
#include "mappers/mapper.h"

struct timing;
struct swaps;

/** Estimates the time of the placement that @p s holds.  @p s and its routes must outlive *out; of
 *  @p in only the platform must.  The caller frees *out with timing_free(), also after a failure,
 *  which may leave it NULL. */
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

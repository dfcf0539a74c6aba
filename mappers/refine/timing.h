/** @file timing.h
 *  A smooth estimate of the time of a program, updated incrementally.  Each phase takes its mean
 *  latency plus the 8-norm of the times that links take for its bytes.  The program takes the sum
 *  of its phases plus the 16-norm of the times that hosts take for its computations.  Without
 *  phases (struct mapper_input), the traffic is one phase.
 */
#ifndef MAPPERS_REFINE_TIMING_H
#define MAPPERS_REFINE_TIMING_H

#include "common/err.h"
#include "mappers/mapper.h"

struct timing;
struct swaps;

/** For the placement of @p s.  The caller calls timing_free(), also if *out is set by a failed
 *  call. */
enum status timing_new(struct timing **out, struct swaps *s, const struct mapper_input *in,
                       struct err *e);

/** Accepts NULL. */
void timing_free(struct timing *t);

/** Returns the change in s by the exchange that @p s tries.  O(messages of the ranks * links of
 *  their routes). */
double timing_try(struct timing *t, struct swaps *s);

/** Applies the exchange that was tried last, or drops it. */
void timing_take(struct timing *t);
void timing_drop(struct timing *t);

/** Makes the sums of powers exact again.  To be called regularly.  O(phases * links). */
void timing_refresh(struct timing *t);

/** The estimate in s. */
double timing_value(const struct timing *t);

#endif

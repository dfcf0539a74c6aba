/** @file estimate.h
 *  Estimates the time of a program under a mapping, without simulation: SimGrid's model of a
 *  message, with the rates of the messages in its phase (traces/matrix/phases.h), in the order of
 *  the program.
 *
 *  A message takes the latency of its route plus the time of its bytes.  They share links (fluid.h)
 *  as if all messages of the phase were sent at once, each after its latency, with the share of the
 *  opposite direction.  In a program with a phase of more than 3000 different messages, and with a
 *  matrix, the bytes take instead the longer of: the seconds that a link of the route takes for all
 *  bytes of the phase; and the bytes at the rate that a lone message has.  A message starts when
 * its sender and its receiver are ready.  A rank computes at the speed of its host, which ranks
 * share if they are more than its cores.
 */
#ifndef MAPPERS_ESTIMATE_H
#define MAPPERS_ESTIMATE_H

#include "common/err.h"
#include "mappers/mapper.h"

struct estimate;

/** For mappings of the ranks of @p in, which must outlive *out.  Without phases the traffic is one
 *  phase, and all ranks start together.  The platform must not be opaque.  For one thread; threads
 *  that share @p in must not be the first to read its phases.  The caller frees *out with
 *  estimate_free(). */
enum status estimate_new(struct estimate **out, const struct mapper_input *in, struct err *e);

/** Accepts NULL. */
void estimate_free(struct estimate *x);

/** Sets *time_s to the estimate for rank r on host @p host[r].  O(events + fluid_run() of
 *  each different phase); with loads O(events + links of the routes of the messages). */
enum status estimate_time(struct estimate *x, const uint32_t *host, double *time_s, struct err *e);

/** Seconds of the rank that computes longest.  O(ranks + hosts). */
double estimate_computation(struct estimate *x, const uint32_t *host);

/** The approximate number of steps of one estimate. */
uint64_t estimate_work(const struct estimate *x);

#endif

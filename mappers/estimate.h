/** @file estimate.h
 *  Estimates the time of a program under a mapping without simulating it.  The estimate follows the
 *  program's order of computations and messages.  Each message takes the time that it would take if
 *  all messages of its phase (traces/matrix/phases.h) were sent at once: the latency of its route,
 *  then the time of its bytes.  The time that the most loaded link needs for all its bytes of the
 *  program is a lower bound: messages of different phases may share the link.
 *
 *  By default the time of the bytes follows from the rates of fluid.h: after its latency, a message
 *  shares the links of its route and, with a share of its bytes, the links of the opposite route.
 *  For a matrix, and for a program with a phase of more than 3000 different messages, the time of
 *  the bytes is instead the larger of two durations: the seconds that the most loaded link of the
 *  route takes for all its bytes of the phase, and the seconds that the message takes for its bytes
 *  if no other message is sent.
 *
 *  A message starts when its sender and its receiver are ready.  A rank computes at the speed of
 *  its host; ranks share the speed if the host has fewer cores.
 */
#pragma once

#include "common/err.h"
#include "mappers/kept_routes.h"
#include "mappers/mapper.h"
#include "mappers/simulator.h"

struct estimate;

/** For mappings of the ranks of @p in, which must outlive *out.  Without phases the traffic is one
 *  phase, and all ranks start together.  The platform must not be opaque.  For one thread; threads
 *  that share @p in must not be the first to read its phases.  The caller frees *out with
 *  estimate_free(). */
enum status estimate_new(struct estimate **out, const struct mapper_input *in, struct err *e);

/** Accepts NULL. */
void estimate_free(struct estimate *x);

/** Sets *time_s to the estimate for the mapping with rank r on host @p host[r].  O(events +
 *  links of the platform + fluid_run() of each different phase); with loads O(events + links of the
 *  routes of the messages + links of the platform for each phase). */
enum status estimate_time(struct estimate *x, const uint32_t *host, double *time_s, struct err *e);

/** The estimate for the mapping with rank r in slot @p at[r], see mapper_hosts(); INFINITY: out of
 *  memory. */
double estimate_of_slots(struct estimate *x, const uint32_t *at);

/** Lists the messages on the critical path of the last estimate, from the last to the first, with
 *  their durations.  Sets *blame to an array that the next call overwrites, and returns its length;
 *  0 if the order of the program is unknown.  O(events). */
size_t estimate_blame(struct estimate *x, const struct mapper_blame **blame);

/** The routes that the estimate keeps; owned by @p x. */
struct kept_routes *estimate_routes(struct estimate *x);

/** The seconds that the rank with the longest computation computes, in the mapping with rank r on
 *  host @p host[r].  O(ranks + hosts). */
double estimate_computation(struct estimate *x, const uint32_t *host);

/** The part of estimate_time() that no mapping changes, in s: the longest computation of a rank.  0
 *  if hosts differ in speed, or if ranks may share cores.  O(ranks + hosts). */
double estimate_fixed(struct estimate *x, const uint32_t *host);

/** The approximate number of steps of one estimate, a measure of its time. */
uint64_t estimate_work(const struct estimate *x);

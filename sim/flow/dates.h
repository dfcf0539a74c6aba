/** @file dates.h
 *  The date of the next event of each message: the end of its latency, or the end of its flow,
 *  whose rate changes.  Reads levels (maxmin.h); knows no routes and no MPI.
 *
 *  All flows stopped by one link have the same level.  Each link therefore has a clock that
 *  advances at that level, and the work that a flow has left is the difference of two clock
 *  readings.  When the level changes, only the speed of the clock changes; the flows are not
 *  touched.  A flow changes clocks only when its bottleneck changes.  (Virtual time, as in fair
 *  queueing: Parekh and Gallager, IEEE/ACM Transactions on Networking 1(3), 1993, section III.)
 */
#pragma once

#include <stdint.h>

#include "common/containers/heap.h"
#include "common/err.h"
#include "sim/flow/maxmin.h"

struct flow_pace;
struct flow_clock;

/** Empty when zeroed, except for maxmin and precision_s, which the caller sets.  Flows are numbered
 *  as in the maxmin, also during their latency. */
struct flow_dates {
  const struct maxmin *maxmin; /**< owned by the caller */
  double precision_s;          /**< events less than this apart happen at the same date */
  struct flow_pace *pace;      /**< by flow */
  struct flow_clock *clock;    /**< by link */
  size_t paces, clocks, pace_room, clock_room;
  struct heap heap; /**< flows by a lower bound of their dates; of the flows of one link usually
                         only the first */
};

/** Frees the arrays and zeroes all fields; accepts a zeroed struct. */
void flow_dates_clear(struct flow_dates *d);

/** Allocates flows 0..@p flows - 1. */
enum status flow_dates_reserve(struct flow_dates *d, uint32_t flows, struct err *e);

/** Schedules an event at @p date (s) for a flow that shares no links. */
void flow_dates_set(struct flow_dates *d, uint32_t flow, double date);

/** Starts a flow that is in the maxmin: it ends when its level, integrated over time from the next
 *  flow_dates_update() on, reaches @p work. */
enum status flow_dates_start(struct flow_dates *d, uint32_t flow, double work, struct err *e);

/** The work left at date @p now of a flow that shares links.  @p now is not before the last
 *  update. */
double flow_dates_left(const struct flow_dates *d, uint32_t flow, double now);

/** Adopts the levels of maxmin_settle() at date @p now.  O(links and flows changed), O(log flows)
 *  for each date that gets earlier or is removed, O(flows stopped) for a link that lost its
 *  first flow. */
void flow_dates_update(struct flow_dates *d, double now);

/** Returns the flow with the earliest date, on a tie the lowest number, and sets *date.  Returns
 *  MAXMIN_NONE and sets INFINITY if no flow has a date. */
uint32_t flow_dates_first(struct flow_dates *d, double *date);

/** Removes @p flow, whose date is before @p now + precision_s.  A flow that shared links must have
 *  left the maxmin before.  O(flows stopped) if it was the first of its link. */
void flow_dates_end(struct flow_dates *d, uint32_t flow, double now);

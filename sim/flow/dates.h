/** @file dates.h
 *  When the next event of each message happens: the end of its latency, or the end of its flow,
 *  whose rate changes.  Knows levels (maxmin.h), no routes and no MPI.
 *
 *  The flows that one link stops have one level.  So each link has a clock that runs at its level,
 *  and the work that a flow has left is a difference of two readings: when the level changes, the
 *  clock changes its speed and the flows are not touched.  A flow changes clocks only with its
 *  bottleneck.  (Virtual time, as in fair queueing: Parekh and Gallager, IEEE/ACM Transactions
 *  on Networking 1(3), 1993, section III.)
 */
#ifndef SIM_FLOW_DATES_H
#define SIM_FLOW_DATES_H

#include <stdint.h>

#include "common/err.h"
#include "common/heap.h"
#include "sim/flow/maxmin.h"

struct flow_pace;
struct flow_clock;

/** Empty when zeroed but for maxmin and precision_s.  Flows are numbered as in the maxmin, also
 *  while they wait for the end of a latency. */
struct flow_dates {
  const struct maxmin *maxmin; /**< the caller's */
  double precision_s;          /**< events less than this apart happen at the same date */
  struct flow_pace *pace;      /**< by flow */
  struct flow_clock *clock;    /**< by link */
  size_t paces, clocks, pace_room, clock_room;
  struct heap heap; /**< flows by a lower bound of the date; of one link's flows the first */
};

/** Frees the arrays and zeroes all fields; accepts a zeroed one. */
void flow_dates_clear(struct flow_dates *d);

/** Allocates the flows 0..@p flows - 1. */
enum status flow_dates_reserve(struct flow_dates *d, uint32_t flows, struct err *e);

/** Schedules an event at @p date (s) for a flow that shares no links. */
void flow_dates_set(struct flow_dates *d, uint32_t flow, double date);

/** Starts a flow that is in the maxmin: it ends when its level, integrated over time from the next
 *  flow_dates_update() on, reaches @p work. */
enum status flow_dates_start(struct flow_dates *d, uint32_t flow, double work, struct err *e);

/** The work that a flow which shares links has left at date @p now, not before the last update. */
double flow_dates_left(const struct flow_dates *d, uint32_t flow, double now);

/** Adopts the levels of maxmin_settle() at date @p now.  O(links and flows changed), O(log flows)
 *  for each date that gets earlier or is removed, O(flows stopped) for a link that lost its
 *  first flow. */
void flow_dates_update(struct flow_dates *d, double now);

/** The flow with the earliest date, of equal ones the lowest, and that date in *date; MAXMIN_NONE
 *  and INFINITY if there is none. */
uint32_t flow_dates_first(struct flow_dates *d, double *date);

/** Removes @p flow, whose date is before @p now + precision_s.  If it shared links, it has left the
 *  maxmin already.  O(flows stopped) if it was the first of its link. */
void flow_dates_end(struct flow_dates *d, uint32_t flow, double now);

#endif

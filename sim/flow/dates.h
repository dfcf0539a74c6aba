/** @file flow_dates.h
 *  When the messages on their way get on: the end of a latency, and the end of a flow whose rate
 *  changes.  Knows levels (maxmin.h), no routes and no MPI.
 *
 *  The flows that one link stops have one level.  So the link has a clock, which runs at the speed
 *  of its level, and what a flow has left is a difference of readings: when the level changes, the
 *  clock changes its speed, and its flows are not touched.  Only a flow that another link stops
 *  changes clocks.  (Virtual time, as in fair queueing: Parekh and Gallager, IEEE/ACM Transactions
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

/** Zeroed, with maxmin and precision_s set: empty.  Flows have the numbers that they have in the
 *  maxmin, those that have not begun to share links as well. */
struct flow_dates {
  const struct maxmin *maxmin; /**< the caller's */
  double precision_s;          /**< what happens less than this later happens at the same date */
  struct flow_pace *pace;      /**< by flow */
  struct flow_clock *clock;    /**< by link */
  size_t paces, clocks, pace_room, clock_room;
  struct heap heap; /**< by flow, of those of one link the first: its date, or one before */
};

void flow_dates_clear(struct flow_dates *d);

/** Makes room for the flows 0..@p flows - 1. */
enum status flow_dates_reserve(struct flow_dates *d, uint32_t flows, struct err *e);

/** Something happens to a flow that shares no links at @p date. */
void flow_dates_set(struct flow_dates *d, uint32_t flow, double date);

/** A flow, now in the maxmin, is over when its level, integrated over time from the next
 *  flow_dates_update() on, is @p work. */
enum status flow_dates_start(struct flow_dates *d, uint32_t flow, double work, struct err *e);

/** After maxmin_settle() at date @p now: O(links and flows changed), O(log flows) for each date
 *  that comes earlier or goes, and O(flows stopped) for a link whose first flow has gone. */
void flow_dates_update(struct flow_dates *d, double now);

/** The flow whose date is the least, of equal ones the least flow; MAXMIN_NONE if there is none.
 *  Its date is in *date. */
uint32_t flow_dates_first(struct flow_dates *d, double *date);

/** The date of @p flow has come, or is less than the precision after @p now.  One that shared links
 *  has left the maxmin.  O(flows stopped) if it was the first of its link. */
void flow_dates_end(struct flow_dates *d, uint32_t flow, double now);

#endif

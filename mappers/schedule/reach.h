/** @file reach.h
 *  Can a schedule that has been begun end by a given time?  Lower bounds for a search: "no" is
 *  certain, "yes" is not.
 *
 *  Each bound is one for each class of hosts.  What an element waits for may come from whatever
 *  class is best for that alone, and takes no time within a class, as it may stay on one host; so
 *  starts are bounded from below, and what must follow an element from its start and from its end.
 *  Hosts bound too: what has to end by some time, from the time on that any of it can start, fits
 *  into no more than they can run by then, and a host runs whole elements only.
 */
#ifndef MAPPERS_SCHEDULE_REACH_H
#define MAPPERS_SCHEDULE_REACH_H

#include <stdbool.h>

#include "common/err.h"
#include "mappers/schedule/scheduler.h"
#include "tasks/timing/arrivals.h"

/** Of dates and sums: bounds must not exclude what is only rounded. */
#define REACH_SLACK 1e-12

/** A schedule that has been begun, by element and host.  The arrays are the caller's. */
struct reach_state {
  const uint32_t *host;
  const double *start, *end; /**< by element; NAN: not placed yet */
  const double *free_at;     /**< by host */
  const uint32_t *waits;     /**< by element: its lanes some of whose producers are not placed */
  double last;               /**< no element ends sooner than this any more */
};

/** When what a lane brings may be at a class of hosts. */
struct reach_lane {
  uint64_t stamp;    /**< of the reach_look() that found it */
  double first, all; /**< the first part of any producer; the last part of the last one */
};

/** Bounds are by element and class: [element * classes + class].  Owned: reach_clear(). */
struct reach {
  const struct scheduler_input *in;
  const struct reach_state *state;
  struct arrivals arrivals; /**< keeps nothing */
  uint32_t *order;          /**< elements, producers before consumers */
  double *takes;            /**< seconds */
  double *rest, *whole;     /**< least seconds from its end, or start, to the end of all */
  double *soonest, *done;   /**< of its start and its end */
  double *need;             /**< by element: what it takes from a host */
  double *least;            /**< by element: its least rest */
  uint32_t *by_least;       /**< elements by falling `least` */
  struct reach_lane *lane;  /**< by lane and class: when its data is there */
  double *from, *to;        /**< by class; scratch */
  uint64_t stamp;
  uint64_t *sums; /**< a bit for each sum of needs; NULL: they are not whole numbers, or large */
  size_t words;
};

/** What is pointed to outlives it; the state may be empty still. */
enum status reach_new(struct reach *r, const struct scheduler_input *in,
                      const struct reach_state *state, struct err *e);

void reach_clear(struct reach *r);

/** Bounds the starts of all elements that are not placed: before reach_by(), after each change of
 *  the state.  O(elements * hosts + ends * classes^2), less where elements are alike. */
enum status reach_look(struct reach *r, struct err *e);

/** May all end by @p date?  O(elements * (classes + hosts)). */
bool reach_by(struct reach *r, double date);

/** May an element that is not placed, or is on this class, end in time for all to end by @p date?
 */
bool reach_on(const struct reach *r, uint32_t element, uint32_t class, double date);

/** Are two elements of an array alike: the same costs, and the same lanes? */
bool reach_alike(const struct scheduler_input *in, uint32_t a, uint32_t b);

#endif

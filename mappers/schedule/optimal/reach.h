/** @file reach.h
 *  Tests whether a partial schedule can still end by a given date.  Lower bounds for a search: "no"
 *  is certain, "yes" is not.
 *
 *  Bounds are computed for each class of hosts.  They assume that each input of an element comes
 *  from the class that is best for this input, and that transfers within a class take no time,
 *  because both elements may be on one host.  This gives lower bounds of the element's start, and
 *  of the times from its start, and from its end, to the end of the schedule.  The capacity of the
 *  hosts gives another bound: the elements that must end by a date fit into the time of the hosts
 *  from their earliest start to that date, and each host runs whole elements only.
 */
#pragma once

#include <stdbool.h>

#include "common/arena.h"
#include "mappers/schedule/scheduler.h"
#include "tasks/timing/arrivals.h"

/** Tolerance for rounded dates and sums: bounds must not exclude schedules because of rounding. */
#define REACH_SLACK 1e-12

/** A partial schedule, by element and host.  The arrays are not owned. */
struct reach_state {
  const uint32_t *host;
  const double *start, *end; /**< by element; NAN: not placed */
  const double *free_at;     /**< by host */
  const uint32_t *waits;     /**< by element: its lanes with producers that are not placed */
  double last;               /**< lower bound of the ends of all elements not yet placed */
};

/** Arrival of the data of a lane at a class of hosts. */
struct reach_lane {
  uint64_t stamp;    /**< number of the reach_look() that computed the fields below */
  double first, all; /**< date of the first part of any producer, of the last part of all */
};

/** Bounds are by element and class: [element * classes + class]. */
struct reach {
  const struct scheduler_input *in;
  const struct reach_state *state;
  struct arrivals arrivals; /**< in plain mode, which stores nothing */
  uint32_t *order;          /**< elements, producers before consumers */
  double *takes;            /**< seconds that the element runs */
  double *rest;       /**< lower bounds of the seconds from its end to the end of the schedule */
  double *whole;      /**< lower bounds of the seconds from its start to the end of the schedule */
  double *soonest;    /**< lower bounds of its start */
  double *done;       /**< lower bounds of its end */
  double *need;       /**< by element: its share of the capacity of a host */
  double *least;      /**< by element: minimum of `rest` over classes */
  uint32_t *by_least; /**< elements by falling `least` */
  struct reach_lane *lane; /**< by lane and class */
  double *from, *to;       /**< by class; scratch */
  uint64_t stamp;
  uint64_t *sums; /**< a bit for each sum of needs; NULL: needs are not integers or too large */
  size_t words;
};

/** The objects passed must outlive @p r.  Elements may be placed later.  The caller frees
 *  r->arrivals with arrivals_clear(), also after a failure. */
enum status reach_new(struct reach *r, const struct scheduler_input *in,
                      const struct reach_state *state, struct arena *mem);

/** Computes the bounds of the starts and ends of all elements.  Must be called after each change of
 *  the state, before reach_by().  O(elements * hosts + P * classes^2), where P is the sum over all
 *  lanes of their producing elements; less if elements are alike. */
enum status reach_look(struct reach *r, struct err *e);

/** True if all elements may end by @p date.  O(elements * (classes + hosts)). */
bool reach_by(struct reach *r, double date);

/** True if @p element may run on this class and all elements may end by @p date.  The element must
 *  not be placed on another class. */
bool reach_on(const struct reach *r, uint32_t element, uint32_t class, double date);

/** True if two elements belong to one array and have the same costs and the same lanes. */
bool reach_alike(const struct scheduler_input *in, uint32_t a, uint32_t b);

/** @file dates.h
 *  When each element starts and ends if every host runs its elements in a given order, one at a
 *  time (5.1 of the paper, without stealing).  An element that cannot start yet blocks its
 *  host.
 *
 *  An element starts when its host is free and, of each of its streams, all has arrived, or, if
 *  it is of pattern B or D, the first output.  It takes its work / the host's speed; one of
 *  pattern B or D ends no sooner than the last of its input has arrived and its last iteration
 *  is done.
 */
#ifndef TASKS_TIMING_DATES_H
#define TASKS_TIMING_DATES_H

#include "common/err.h"
#include "tasks/tasknet.h"
#include "tasks/timing/farm.h"

/** Where elements run and in what order; by element. */
struct dates_plan {
  const uint32_t *host;
  const uint32_t *place; /**< position on its host: 0, 1, 2, .. */
};

/** Writes start and end of each element to arrays of n->elements.  Refuses places that are missing
 *  or taken twice, and orders in which hosts wait for each other.  Near O(elements + ends). */
enum status dates_compute(const struct tasknet *n, const struct farm *m,
                          const struct dates_plan *plan, double *start, double *end, struct err *e);

/** Writes the elements in the order of their hosts and places to @p queue, n->elements entries, and
 *  where each host's begin to @p first, hosts + 1 entries.  Refuses as dates_compute() does. */
enum status dates_queues(const struct tasknet *n, uint32_t hosts, const struct dates_plan *plan,
                         uint32_t *queue, uint32_t *first, struct err *e);

#endif

/** @file dates.h
 *  Start and end times of all elements if every host runs its elements in a given order, one at a
 *  time (5.1 of the paper, without stealing).  An element that cannot start yet blocks its host.
 *
 *  An element starts when its host is free and all data of its streams has arrived; for pattern B
 *  or D, when the first data of each of its streams has arrived.  It takes work / speed of the
 *  host.  An element of pattern B or D ends at least one iteration after its last input has
 *  arrived.
 */
#pragma once

#include "common/err.h"
#include "tasks/tasknet.h"
#include "tasks/timing/farm.h"

/** Host and position of each element. */
struct dates_plan {
  const uint32_t *host;
  const uint32_t *place; /**< position on its host: 0, 1, 2, ... */
};

/** Writes the start and end of each element to arrays of n->elements entries.  Fails for missing or
 *  repeated places and for orders that make hosts wait for each other.  Near O(elements + ends). */
enum status dates_compute(const struct tasknet *n, const struct farm *m,
                          const struct dates_plan *plan, double *start, double *end, struct err *e);

/** Writes the elements, sorted by host and place, to @p queue (n->elements entries), and the first
 *  index of each host to @p first (hosts + 1 entries).  Fails for missing or repeated places. */
enum status dates_queues(const struct tasknet *n, uint32_t hosts, const struct dates_plan *plan,
                         uint32_t *queue, uint32_t *first, struct err *e);

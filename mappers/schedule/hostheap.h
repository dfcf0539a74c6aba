/** @file hostheap.h
 *  A set of hosts whose first member is the one that is free first, for dates that only grow: they
 *  may grow behind the heap's back, which it notices when it is asked.  Ties: the lower host.
 */
#ifndef MAPPERS_SCHEDULE_HOSTHEAP_H
#define MAPPERS_SCHEDULE_HOSTHEAP_H

#include <stdint.h>

/** A host, and when it was free when the heap looked last. */
struct hostheap_node {
  double key;
  uint32_t host;
};

struct hostheap {
  struct hostheap_node *node; /**< the caller's; hosts are set by the caller */
  uint32_t count;             /**< at least 1 for hostheap_first() */
};

/** Orders the nodes by the hosts' dates @p free_at.  O(count). */
void hostheap_build(struct hostheap *h, const double *free_at);

/** The host that is free first.  O(log count) for each host that has changed and comes before it.
 */
uint32_t hostheap_first(struct hostheap *h, const double *free_at);

#endif

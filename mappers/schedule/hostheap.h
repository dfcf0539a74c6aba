/** @file hostheap.h
 *  Priority queue of hosts by the dates when they become free; ties: the lower host.  The caller
 *  may raise dates at any time without a call: hostheap_first() reads them again.
 */
#pragma once

#include <stdint.h>

/** A host, and the date when it is free, as last read by the heap. */
struct hostheap_node {
  double key;
  uint32_t host;
};

struct hostheap {
  struct hostheap_node *node; /**< not owned; the caller sets the hosts */
  uint32_t count;             /**< at least 1 for hostheap_first() */
};

/** Orders the nodes by the hosts' dates @p free_at.  O(count). */
void hostheap_build(struct hostheap *h, const double *free_at);

/** The host that is free first.  O(log count) for each host with a changed date that was first. */
uint32_t hostheap_first(struct hostheap *h, const double *free_at);

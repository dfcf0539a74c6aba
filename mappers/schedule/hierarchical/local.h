/** @file local.h
 *  Local scheduling (4.5 of the paper), which treats all hosts as equal: takes the elements in the
 *  order of their dependence costs D.  E is the date when a host is free, I and C are the costs of
 *  an element's input and computation.  An element ends at E + I + C on the host that is free
 *  first, and at E + C on a host of one of its producers.  It is placed where it ends earlier, and
 *  the host's E becomes max(E + I + C, D + C).
 *
 *  Rules that the paper does not define: an element waits until its producers are placed, so that
 *  an order of pipelined elements can always run; ties go to the producers' host, then to the lower
 *  host.
 */
#pragma once

#include "common/err.h"
#include "tasks/tasknet.h"

/** Groups of hosts.  Each group schedules its own elements. */
struct local_groups {
  uint32_t groups, hosts;
  const uint32_t *first; /**< groups + 1 offsets in list[] of the hosts of each group */
  const uint32_t *list;
  const uint32_t *group; /**< by element; NULL: a single group */
};

/** Writes the host of each element to @p host and the order of all elements to @p order.  Time:
 *  near elements + ends, times the logarithm of the hosts. */
enum status local_place(const struct tasknet *n, const struct local_groups *g, uint32_t *host,
                        uint32_t *order, struct err *e);

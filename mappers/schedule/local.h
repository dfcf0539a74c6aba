/** @file local.h
 *  Local scheduling (4.5 of the paper), for hosts that it takes for equal: elements in the
 *  order of their dependence costs D, each to the host that is free first, E, or to a host of
 *  one of its producers, whichever gives less: E + I + C against E + C.  Then E := max(E + I +
 *  C, D + C).
 *
 *  On which the paper is silent: elements wait until their producers are placed, so that an
 *  order of pipelined elements can always run; ties go to the producers' host, then to the
 *  lower host.
 */
#ifndef MAPPERS_SCHEDULE_LOCAL_H
#define MAPPERS_SCHEDULE_LOCAL_H

#include "common/err.h"
#include "tasks/tasknet.h"

/** Groups of hosts, each of which schedules elements of its own. */
struct local_groups {
  uint32_t groups, hosts;
  const uint32_t *first; /**< by group, and one more: its hosts are list[first] .. */
  const uint32_t *list;
  const uint32_t *group; /**< by element; NULL: there is one group */
};

/** Writes a host for each element, and the order.  O((elements + ends) log). */
enum status local_place(const struct tasknet *n, const struct local_groups *g, uint32_t *host,
                        uint32_t *order, struct err *e);

#endif

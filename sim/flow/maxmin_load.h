/** @file maxmin_load.h
 *  Private to maxmin*.c: steps of the innermost loops, where most of the time of a simulation goes
 *  by.
 */
#ifndef SIM_FLOW_MAXMIN_LOAD_H
#define SIM_FLOW_MAXMIN_LOAD_H

#include <math.h>

#include "sim/flow/maxmin_internal.h"

/** Load / level that a flow puts on the link of one of its hops. */
static inline double maxmin_weight(const struct maxmin *m, const struct maxmin_flow *f,
                                   uint32_t hop)
{
  return m->share[HOP_SHARE(f->hop[hop])] * f->per_level;
}

/** maxmin_level(), without a call. */
static inline double maxmin_level_of(const struct maxmin *m, uint32_t flow)
{
  const uint32_t link = m->bottleneck[flow];
  return link == MAXMIN_NONE ? m->flow[flow].cap : m->level[link];
}

/** Adds to a link's load what flows outside of its list cause, which have @p level now. */
static inline void maxmin_load(struct maxmin *m, uint32_t link, double more, double level)
{
  struct maxmin_room *r = &m->room[link];
  const double left = r->free - more;
  r->free = left;
  r->peak = level > r->peak ? level : r->peak;
  if (left >= r->watch)
    return;
  r->watch = -INFINITY;
  m->touched[m->touches++] = link;
}

#endif

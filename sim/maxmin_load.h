/** @file maxmin_load.h
 *  Private to maxmin*.c: steps of the innermost loops, where most of the time of a simulation goes
 *  by: no branches, and pointers that do not alias.
 */
#ifndef SIM_MAXMIN_LOAD_H
#define SIM_MAXMIN_LOAD_H

#include <math.h>

#include "sim/maxmin_internal.h"

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

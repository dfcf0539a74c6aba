/** @file maxmin_load.h
 *  Private to maxmin*.c: steps of the innermost loops, where most of the time of a simulation goes
 *  by: no branches, and pointers that do not alias.
 */
#ifndef SIM_MAXMIN_LOAD_H
#define SIM_MAXMIN_LOAD_H

#include <math.h>

#include "sim/maxmin_internal.h"

/** Adds to a link's load what flows outside of its list cause, which have @p level now.  True if
 *  the caller has to put the link into touched[]: it stops somebody, or is too full now. */
static inline bool maxmin_load(struct maxmin_room *r, double more, double level)
{
  const double left = r->free - more;
  const bool now = left < r->watch;
  r->free = left;
  r->peak = level > r->peak ? level : r->peak;
  r->watch = now ? -INFINITY : r->watch;
  return now;
}

#endif

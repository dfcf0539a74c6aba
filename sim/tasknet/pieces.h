/** @file pieces.h
 *  Cuts the computation of an element into pieces for engines: where output leaves it, and where it
 *  waits for the rest of its input.
 */
#pragma once

#include <math.h>

#include "tasks/tasknet.h"

/** Upper limit of the pieces of an element.  If it has more iterations, all but the first and the
 *  last are combined, as evenly as possible. */
#define PIECES_MOST 64

/** One piece per iteration if output leaves the element after each.  If not, one piece, or two if
 *  the last iteration must wait for input.  An element of less than two iterations is one piece. */
struct pieces {
  uint32_t count;
  double loops; /**< iterations of the element */
  bool waits;   /**< waits for all input before the last piece */
  bool early;   /**< output leaves after each piece, not only after the last */
};

static inline struct pieces pieces_of(enum tasknet_pattern pattern, double loops)
{
  struct pieces p = {1, loops, tasknet_reads_late(pattern), tasknet_writes_early(pattern)};
  if (loops >= 2 && p.early)
    p.count = (uint32_t)fmin(ceil(loops), PIECES_MOST);
  else if (loops >= 2 && p.waits)
    p.count = 2;
  return p;
}

/** The share of the computation in the first @p k pieces. */
static inline double pieces_share(const struct pieces *p, uint32_t k)
{
  if (k == 0 || k == p->count)
    return k > 0;
  if (k == p->count - 1)
    return 1 - 1 / p->loops;
  return 1 / p->loops + (k - 1) * (1 - 2 / p->loops) / (p->count - 2);
}

/** @file reduce_scatter.h
 *  Private to traces/: the parts of reduce_scatter.  A rank ends with its part of the result: its
 *  recvcounts, elements of send_size bytes.
 */
#pragma once

#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/pow2.h"

/** Number of elements of the parts of ranks @p from to @p to, exclusive. */
uint64_t reduce_scatter_sum(const struct lowering *l, uint64_t from, uint64_t to);

/** True if all parts are equal. */
bool reduce_scatter_equal(const struct lowering *l);

/** The first rank of @p number if odd ranks stay.  The number of a pair has the
 *  parts of both ranks. */
static inline uint64_t reduce_scatter_first(const struct pow2 *p, uint32_t number)
{
  return number < p->rest ? 2 * (uint64_t)number : (uint64_t)number + p->rest;
}

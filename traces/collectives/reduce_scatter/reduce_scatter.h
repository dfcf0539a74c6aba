/** @file reduce_scatter.h
 *  Private to traces/: helpers of the reduce_scatter algorithms.  Rank r receives part r of the
 *  result: recvcounts[r] elements of recv_size bytes.
 */
#pragma once

#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/pow2.h"

/** Number of elements of the parts of ranks @p from to @p to, exclusive. */
uint64_t reduce_scatter_sum(const struct lowering *l, uint64_t from, uint64_t to);

/** True if all parts are equal. */
bool reduce_scatter_equal(const struct lowering *l);

/** First rank whose part is in block @p number if the odd rank of each pair stays (pow2.h).  The
 *  block of a pair holds the parts of both ranks. */
static inline uint64_t reduce_scatter_first(const struct pow2 *p, uint32_t number)
{
  return number < p->rest ? 2 * (uint64_t)number : (uint64_t)number + p->rest;
}

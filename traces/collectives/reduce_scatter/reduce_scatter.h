/** @file reduce_scatter.h
 *  Private to traces/: the algorithms of reduce_scatter that others call.  What each rank ends with
 *  is recvcounts, elements of send_size bytes.
 */
#ifndef TRACES_COLLECTIVES_REDUCE_SCATTER_H
#define TRACES_COLLECTIVES_REDUCE_SCATTER_H

#include "traces/collectives/fold.h"

extern const struct lower_algorithm lower_reduce_scatter_default, lower_reduce_scatter_scatterv,
    lower_reduce_scatter_mpich_pair, lower_reduce_scatter_mpich_rdb,
    lower_reduce_scatter_mpich_noncomm, lower_reduce_scatter_ompi_basic_recursivehalving,
    lower_reduce_scatter_ompi_ring, lower_reduce_scatter_ompi_butterfly;

/** Elements of the parts of ranks @p from to @p to, exclusive. */
uint64_t reduce_scatter_sum(const struct lowering *l, uint64_t from, uint64_t to);

/** Are all parts equal? */
bool reduce_scatter_equal(const struct lowering *l);

/** The first rank whose part belongs to @p number of a fold that odd ranks stay in: the part of a
 *  rank that steps aside belongs to the other one of its pair. */
static inline uint64_t reduce_scatter_first(const struct fold *f, uint32_t number)
{
  return number < f->rest ? 2 * (uint64_t)number : (uint64_t)number + f->rest;
}

#endif

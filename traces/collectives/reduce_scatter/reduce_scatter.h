/** @file reduce_scatter.h
 *  Private to traces/: the algorithms of reduce_scatter that others call.  What each rank ends with
 *  is recvcounts, elements of send_size bytes.
 */
#ifndef TRACES_COLLECTIVES_REDUCE_SCATTER_H
#define TRACES_COLLECTIVES_REDUCE_SCATTER_H

#include "traces/collectives/lower.h"

extern const struct lower_algorithm lower_reduce_scatter_default, lower_reduce_scatter_scatterv,
    lower_reduce_scatter_mpich_pair, lower_reduce_scatter_mpich_rdb;

/** Elements of the parts of ranks @p from to @p to, exclusive. */
uint64_t reduce_scatter_sum(const struct lowering *l, uint64_t from, uint64_t to);

#endif

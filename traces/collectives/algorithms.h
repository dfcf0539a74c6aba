/** @file algorithms.h
 *  Private to traces/: the algorithms of each collective, the default first, terminated by NULL.
 *  Each list is in the folder of its collective.
 */
#ifndef TRACES_COLLECTIVES_ALGORITHMS_H
#define TRACES_COLLECTIVES_ALGORITHMS_H

#include "traces/collectives/lower.h"

extern const struct lower_algorithm *const lower_barrier_rows[];
extern const struct lower_algorithm *const lower_bcast_rows[];
extern const struct lower_algorithm *const lower_reduce_rows[];
extern const struct lower_algorithm *const lower_allreduce_rows[];
extern const struct lower_algorithm *const lower_alltoall_rows[];
extern const struct lower_algorithm *const lower_alltoallv_rows[];
extern const struct lower_algorithm *const lower_gather_rows[];
extern const struct lower_algorithm *const lower_gatherv_rows[];
extern const struct lower_algorithm *const lower_scatter_rows[];
extern const struct lower_algorithm *const lower_scatterv_rows[];
extern const struct lower_algorithm *const lower_allgather_rows[];
extern const struct lower_algorithm *const lower_allgatherv_rows[];
extern const struct lower_algorithm *const lower_reduce_scatter_rows[];
extern const struct lower_algorithm *const lower_scan_rows[];

#endif

/** @file libraries.h
 *  Private to traces/: the selectors of MPI libraries, one for each collective.  Two-level
 *  algorithms use them for their parts.
 */
#pragma once

#include "traces/collectives/lower.h"

extern const struct lower_algorithm lower_barrier_ompi, lower_bcast_ompi, lower_reduce_ompi,
    lower_allreduce_ompi, lower_alltoall_ompi, lower_alltoallv_ompi, lower_gather_ompi,
    lower_scatter_ompi, lower_allgather_ompi, lower_allgatherv_ompi, lower_reduce_scatter_ompi;

extern const struct lower_algorithm lower_barrier_mpich, lower_bcast_mpich, lower_reduce_mpich,
    lower_allreduce_mpich, lower_alltoall_mpich, lower_alltoallv_mpich, lower_gather_mpich,
    lower_scatter_mpich, lower_allgather_mpich, lower_allgatherv_mpich, lower_reduce_scatter_mpich;

extern const struct lower_algorithm lower_barrier_mvapich2, lower_bcast_mvapich2,
    lower_reduce_mvapich2, lower_allreduce_mvapich2, lower_alltoall_mvapich2,
    lower_alltoallv_mvapich2, lower_gather_mvapich2, lower_scatter_mvapich2,
    lower_allgather_mvapich2, lower_allgatherv_mvapich2, lower_reduce_scatter_mvapich2;

extern const struct lower_algorithm lower_barrier_impi, lower_bcast_impi, lower_reduce_impi,
    lower_allreduce_impi, lower_alltoall_impi, lower_alltoallv_impi, lower_gather_impi,
    lower_scatter_impi, lower_allgather_impi, lower_allgatherv_impi, lower_reduce_scatter_impi;

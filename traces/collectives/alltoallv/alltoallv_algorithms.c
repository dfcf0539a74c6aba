#include "traces/collectives/algorithms.h"

#include "traces/collectives/alltoall/alltoall.h"
#include "traces/collectives/alltoallv/alltoallv.h"

/* The algorithms with barriers are the same as for alltoall: they accept blocks of any size. */
const struct lower_algorithm *const lower_alltoallv_rows[] = {
    &lower_alltoallv_default,           &lower_alltoallv_pair,
    &lower_alltoall_pair_light_barrier, &lower_alltoall_pair_mpi_barrier,
    &lower_alltoall_pair_one_barrier,   &lower_alltoallv_ring,
    &lower_alltoall_ring_light_barrier, &lower_alltoall_ring_mpi_barrier,
    &lower_alltoall_ring_one_barrier,   &lower_alltoallv_bruck,
    &lower_alltoallv_ompi_basic_linear, NULL,
};

#include "traces/collectives/algorithms.h"

#include "traces/collectives/alltoall/alltoall.h"

const struct lower_algorithm *const lower_alltoall_rows[] = {
    &lower_alltoall_default,
    &lower_alltoall_basic_linear,
    &lower_alltoall_pair,
    &lower_alltoall_bruck,
    &lower_alltoall_ring,
    &lower_alltoall_pair_light_barrier,
    &lower_alltoall_pair_mpi_barrier,
    &lower_alltoall_pair_one_barrier,
    &lower_alltoall_ring_light_barrier,
    &lower_alltoall_ring_mpi_barrier,
    &lower_alltoall_ring_one_barrier,
    &lower_alltoall_2dmesh,
    &lower_alltoall_3dmesh,
    &lower_alltoall_rdb,
    &lower_alltoall_mvapich2_scatter_dest,
    NULL,
};

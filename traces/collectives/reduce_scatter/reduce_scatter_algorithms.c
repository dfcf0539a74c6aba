#include "traces/collectives/algorithms.h"

#include "traces/collectives/reduce_scatter/reduce_scatter.h"

const struct lower_algorithm *const lower_reduce_scatter_rows[] = {
    &lower_reduce_scatter_default,
    &lower_reduce_scatter_scatterv,
    &lower_reduce_scatter_mpich_pair,
    &lower_reduce_scatter_mpich_rdb,
    &lower_reduce_scatter_mpich_noncomm,
    &lower_reduce_scatter_ompi_basic_recursivehalving,
    &lower_reduce_scatter_ompi_ring,
    &lower_reduce_scatter_ompi_butterfly,
    NULL,
};

#include "traces/collectives/algorithms.h"

#include "traces/collectives/reduce/reduce.h"

const struct lower_algorithm *const lower_reduce_rows[] = {
    &lower_reduce_default,
    &lower_reduce_binomial,
    &lower_reduce_flat_tree,
    &lower_reduce_ntsl,
    &lower_reduce_scatter_gather,
    &lower_reduce_ompi_chain,
    &lower_reduce_ompi_pipeline,
    &lower_reduce_ompi_basic_linear,
    &lower_reduce_ompi_in_order_binary,
    &lower_reduce_ompi_binary,
    &lower_reduce_ompi_binomial,
    &lower_reduce_mvapich2_knomial,
    &lower_reduce_rab,
    &lower_reduce_mvapich2_two_level,
    NULL,
};

#include "traces/collectives/algorithms.h"

#include "traces/collectives/scatter/scatter.h"

const struct lower_algorithm *const lower_scatter_rows[] = {
    &lower_scatter_default,
    &lower_scatter_ompi_basic_linear,
    &lower_scatter_ompi_linear_nb,
    &lower_scatter_ompi_binomial,
    &lower_scatter_mvapich2_two_level_binomial,
    &lower_scatter_mvapich2_two_level_direct,
    NULL,
};

const struct lower_algorithm *const lower_scatterv_rows[] = {
    &lower_scatterv_default,
    NULL,
};

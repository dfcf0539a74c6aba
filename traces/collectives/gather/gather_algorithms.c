#include "traces/collectives/algorithms.h"

#include "traces/collectives/gather/gather.h"

const struct lower_algorithm *const lower_gather_rows[] = {
    &lower_gather_default,          &lower_gather_ompi_basic_linear,  &lower_gather_ompi_binomial,
    &lower_gather_ompi_linear_sync, &lower_gather_mvapich2_two_level, NULL,
};

const struct lower_algorithm *const lower_gatherv_rows[] = {
    &lower_gatherv_default,
    NULL,
};

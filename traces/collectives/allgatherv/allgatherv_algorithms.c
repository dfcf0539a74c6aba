#include "traces/collectives/algorithms.h"

#include "traces/collectives/allgatherv/allgatherv.h"

const struct lower_algorithm *const lower_allgatherv_rows[] = {
    &lower_allgatherv_default,
    &lower_allgatherv_gb,
    &lower_allgatherv_pair,
    &lower_allgatherv_ring,
    &lower_allgatherv_ompi_neighborexchange,
    &lower_allgatherv_ompi_bruck,
    &lower_allgatherv_mpich_rdb,
    &lower_allgatherv_mpich_ring,
    NULL,
};

#include "traces/collectives/algorithms.h"

#include "traces/collectives/allgather/allgather.h"

const struct lower_algorithm *const lower_allgather_rows[] = {
    &lower_allgather_default,
    &lower_allgather_2dmesh,
    &lower_allgather_3dmesh,
    &lower_allgather_bruck,
    &lower_allgather_gb,
    &lower_allgather_loosely_lr,
    &lower_allgather_ntslr,
    &lower_allgather_ntslr_nb,
    &lower_allgather_pair,
    &lower_allgather_rdb,
    &lower_allgather_rhv,
    &lower_allgather_ring,
    &lower_allgather_smp_nts,
    &lower_allgather_smp_simple,
    &lower_allgather_spreading_simple,
    &lower_allgather_ompi_neighborexchange,
    &lower_allgather_mvapich2_smp,
    NULL,
};

#include "traces/collectives/algorithms.h"

#include "traces/collectives/allreduce/allreduce.h"

const struct lower_algorithm *const lower_allreduce_rows[] = {
    &lower_allreduce_default,
    &lower_allreduce_rdb,
    &lower_allreduce_rab_rdb,
    &lower_allreduce_mvapich2_rs,
    &lower_allreduce_rab,
    &lower_allreduce_lr,
    &lower_allreduce_rab1,
    &lower_allreduce_rab2,
    &lower_allreduce_redbcast,
    &lower_allreduce_ompi_ring_segmented,
    &lower_allreduce_smp_binomial,
    &lower_allreduce_smp_binomial_pipeline,
    &lower_allreduce_smp_rdb,
    &lower_allreduce_smp_rsag,
    &lower_allreduce_smp_rsag_lr,
    &lower_allreduce_smp_rsag_rab,
    &lower_allreduce_mvapich2_two_level,
    NULL,
};

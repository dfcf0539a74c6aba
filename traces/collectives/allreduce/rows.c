#include "traces/collectives/rows.h"

#include "traces/collectives/allreduce/allreduce.h"

const struct lower_algorithm *const lower_allreduce_rows[] = {
    &lower_allreduce_default,     &lower_allreduce_rdb, &lower_allreduce_rab_rdb,
    &lower_allreduce_mvapich2_rs, &lower_allreduce_rab, NULL,
};

#include "traces/collectives/rows.h"

#include "traces/collectives/allreduce/allreduce.h"

const struct lower_algorithm *const lower_allreduce_rows[] = {
    &lower_allreduce_default,
    &lower_allreduce_rdb,
    NULL,
};

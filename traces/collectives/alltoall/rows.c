#include "traces/collectives/rows.h"

#include "traces/collectives/alltoall/alltoall.h"

const struct lower_algorithm *const lower_alltoall_rows[] = {
    &lower_alltoall_default, &lower_alltoall_basic_linear, &lower_alltoall_pair,
    &lower_alltoall_bruck,   &lower_alltoall_ring,         NULL,
};

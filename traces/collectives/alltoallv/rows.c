#include "traces/collectives/rows.h"

#include "traces/collectives/alltoallv/alltoallv.h"

const struct lower_algorithm *const lower_alltoallv_rows[] = {
    &lower_alltoallv_default,
    &lower_alltoallv_pair,
    &lower_alltoallv_ring,
    NULL,
};

#include "traces/collectives/rows.h"

#include "traces/collectives/allgather/allgather.h"

const struct lower_algorithm *const lower_allgather_rows[] = {
    &lower_allgather_default,
    &lower_allgather_ring,
    NULL,
};

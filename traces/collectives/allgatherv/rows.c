#include "traces/collectives/rows.h"

#include "traces/collectives/allgatherv/allgatherv.h"

const struct lower_algorithm *const lower_allgatherv_rows[] = {
    &lower_allgatherv_default,
    NULL,
};

#include "traces/collectives/rows.h"

#include "traces/collectives/reduce/reduce.h"

const struct lower_algorithm *const lower_reduce_rows[] = {
    &lower_reduce_default,
    &lower_reduce_binomial,
    NULL,
};

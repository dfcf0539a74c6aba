#include "traces/collectives/rows.h"

#include "traces/collectives/scatter/scatter.h"

const struct lower_algorithm *const lower_scatter_rows[] = {
    &lower_scatter_default,
    NULL,
};

const struct lower_algorithm *const lower_scatterv_rows[] = {
    &lower_scatterv_default,
    NULL,
};

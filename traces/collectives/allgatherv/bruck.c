#include "traces/collectives/allgatherv/allgatherv.h"
#include "traces/collectives/shapes/blocks.h"

const struct lower_algorithm lower_allgatherv_ompi_bruck = {
    .row = {"ompi_bruck", "log2(ranks) rounds: all blocks so far to the rank 2^round behind",
            "allgatherv/allgatherv-ompi-bruck.cpp"},
    .steps = blocks_bruck_steps,
    .step = blocks_bruck_step};

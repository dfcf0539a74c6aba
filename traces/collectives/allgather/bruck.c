#include "traces/collectives/allgather/allgather.h"
#include "traces/collectives/shapes/blocks.h"

const struct lower_algorithm lower_allgather_bruck = {
    .row = {"bruck", "log2(ranks) rounds: all blocks so far to the rank 2^round behind",
            "allgather/allgather-bruck.cpp"},
    .steps = blocks_bruck_steps,
    .step = blocks_bruck_step};

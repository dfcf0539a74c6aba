/* SimGrid 3.32: src/smpi/colls/allgather/allgather-bruck.cpp. */
#include "traces/collectives/allgather/allgather.h"
#include "traces/collectives/blocks.h"

const struct lower_algorithm lower_allgather_bruck = {
    .row = {"bruck", "log2(ranks) rounds: all blocks so far to the rank 2^round behind"},
    .steps = blocks_bruck_steps,
    .step = blocks_bruck_step};

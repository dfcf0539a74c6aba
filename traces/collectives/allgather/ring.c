#include "traces/collectives/allgather/allgather.h"
#include "traces/collectives/shapes/blocks.h"
#include "traces/collectives/shapes/rounds.h"

const struct lower_algorithm lower_allgather_ring = {
    .row = {"ring", "a round a distance: sends that far ahead, receives from that far behind",
            "allgather/allgather-ring.cpp"},
    .steps = rounds_steps,
    .step = blocks_ring_step};

const struct lower_algorithm lower_allgather_pair = {
    .row = {"pair", "one partner a round, by exclusive or", "allgather/allgather-pair.cpp"},
    .steps = rounds_steps,
    .step = blocks_pair_step};

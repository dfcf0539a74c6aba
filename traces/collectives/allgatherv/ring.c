#include "traces/collectives/allgatherv/allgatherv.h"
#include "traces/collectives/shapes/blocks.h"
#include "traces/collectives/shapes/rounds.h"

const struct lower_algorithm lower_allgatherv_ring = {
    .row = {"ring", "a round a distance: sends that far ahead, receives from that far behind",
            "allgatherv/allgatherv-ring.cpp"},
    .steps = rounds_steps,
    .step = blocks_ring_step};

const struct lower_algorithm lower_allgatherv_pair = {
    .row = {"pair", "one partner a round, by exclusive or", "allgatherv/allgatherv-pair.cpp"},
    .steps = rounds_steps,
    .step = blocks_pair_step};

#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/rounds.h"

const struct lower_algorithm lower_alltoall_pair = {
    .row = {"pair", "one partner a round, by exclusive or", "alltoall/alltoall-pair.cpp"},
    .steps = rounds_steps,
    .step = rounds_step,
    .variant = ROUNDS_XOR};

const struct lower_algorithm lower_alltoall_ring = {
    .row = {"ring", "a round a distance: sends that far ahead, receives from that far behind",
            "alltoall/alltoall-ring.cpp"},
    .steps = rounds_steps,
    .step = rounds_step};

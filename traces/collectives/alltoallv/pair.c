#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/rounds.h"

/* SMPI's ring uses exclusive or if the number of ranks is a power of two, as its pair. */
const struct lower_algorithm lower_alltoallv_pair = {
    .row = {"pair", "one partner a round, by exclusive or", "alltoallv/alltoallv-pair.cpp"},
    .steps = rounds_steps,
    .step = rounds_step,
    .variant = ROUNDS_XOR};

const struct lower_algorithm lower_alltoallv_ring = {
    .row = {"ring", "a round a distance: sends that far ahead, receives from that far behind",
            "alltoallv/alltoallv-ring.cpp"},
    .steps = rounds_steps,
    .step = rounds_step,
    .variant = ROUNDS_XOR};

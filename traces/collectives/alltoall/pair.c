#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/rounds.h"

const struct lower_algorithm lower_alltoall_pair = {
    .row = {"pair", "round i exchanges with rank xor i", "alltoall/alltoall-pair.cpp"},
    .steps = rounds_steps,
    .step = rounds_step,
    .variant = ROUNDS_XOR};

const struct lower_algorithm lower_alltoall_ring = {
    .row = {"ring", "round d sends to the rank d ahead and receives from the rank d behind",
            "alltoall/alltoall-ring.cpp"},
    .steps = rounds_steps,
    .step = rounds_step};

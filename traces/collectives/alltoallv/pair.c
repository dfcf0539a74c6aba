#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/rounds.h"

/* If the number of ranks is a power of two, SMPI's ring of alltoallv has the partners of pair. */
const struct lower_algorithm lower_alltoallv_pair = {
    .row = {"pair", "round i exchanges with rank xor i", "alltoallv/alltoallv-pair.cpp"},
    .steps = rounds_steps,
    .step = rounds_step,
    .variant = ROUNDS_XOR};

const struct lower_algorithm lower_alltoallv_ring = {
    .row = {"ring", "round d sends to the rank d ahead and receives from the rank d behind",
            "alltoallv/alltoallv-ring.cpp"},
    .steps = rounds_steps,
    .step = rounds_step,
    .variant = ROUNDS_XOR};

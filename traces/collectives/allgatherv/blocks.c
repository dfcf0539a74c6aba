#include "traces/collectives/shapes/blocks.h"

#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/rounds.h"

const struct lower_algorithm lower_allgatherv_ompi_bruck = {
    .row = {"ompi_bruck",
            "log2(ranks) rounds; each sends all blocks so far to the rank 2^round behind",
            "allgatherv/allgatherv-ompi-bruck.cpp"},
    .steps = lower_rounds_steps,
    .step = blocks_bruck_step};

const struct lower_algorithm lower_allgatherv_ring = {
    .row = {"ring", "round d sends to the rank d ahead and receives from the rank d behind",
            "allgatherv/allgatherv-ring.cpp"},
    .steps = rounds_steps,
    .step = blocks_rounds_step};

const struct lower_algorithm lower_allgatherv_pair = {
    .row = {"pair", "round i exchanges with rank xor i", "allgatherv/allgatherv-pair.cpp"},
    .steps = rounds_steps,
    .step = blocks_rounds_step,
    .variant = ROUNDS_XOR};

const struct lower_algorithm lower_allgatherv_ompi_neighborexchange = {
    .row = {"ompi_neighborexchange",
            "each round exchanges two blocks, with the two neighbours in turn",
            "allgatherv/allgatherv-ompi-neighborexchange.cpp"},
    .steps = blocks_neighbor_steps,
    .step = blocks_neighbor_step};

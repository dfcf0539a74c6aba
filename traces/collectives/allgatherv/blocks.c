#include "traces/collectives/shapes/blocks.h"

#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/rounds.h"

const struct lower_algorithm lower_allgatherv_ompi_bruck = {
    .row = {"ompi_bruck", "log2(ranks) rounds: all blocks so far to the rank 2^round behind",
            "allgatherv/allgatherv-ompi-bruck.cpp"},
    .steps = lower_rounds_steps,
    .step = blocks_bruck_step};

const struct lower_algorithm lower_allgatherv_ring = {
    .row = {"ring", "a round a distance: sends that far ahead, receives from that far behind",
            "allgatherv/allgatherv-ring.cpp"},
    .steps = rounds_steps,
    .step = blocks_rounds_step};

const struct lower_algorithm lower_allgatherv_pair = {
    .row = {"pair", "one partner a round, by exclusive or", "allgatherv/allgatherv-pair.cpp"},
    .steps = rounds_steps,
    .step = blocks_rounds_step,
    .variant = ROUNDS_XOR};

const struct lower_algorithm lower_allgatherv_ompi_neighborexchange = {
    .row = {"ompi_neighborexchange", "two blocks a round with either neighbour in turn",
            "allgatherv/allgatherv-ompi-neighborexchange.cpp"},
    .steps = blocks_neighbor_steps,
    .step = blocks_neighbor_step};

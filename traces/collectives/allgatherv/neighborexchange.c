#include "traces/collectives/allgatherv/allgatherv.h"
#include "traces/collectives/shapes/blocks.h"

const struct lower_algorithm lower_allgatherv_ompi_neighborexchange = {
    .row = {"ompi_neighborexchange", "two blocks a round with either neighbour in turn",
            "allgatherv/allgatherv-ompi-neighborexchange.cpp"},
    .steps = blocks_neighbor_steps,
    .step = blocks_neighbor_step};

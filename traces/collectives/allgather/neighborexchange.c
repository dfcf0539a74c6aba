#include "traces/collectives/allgather/allgather.h"
#include "traces/collectives/shapes/blocks.h"

const struct lower_algorithm lower_allgather_ompi_neighborexchange = {
    .row = {"ompi_neighborexchange", "two blocks a round with either neighbour in turn",
            "allgather/allgather-ompi-neighborexchange.cpp"},
    .steps = blocks_neighbor_steps,
    .step = blocks_neighbor_step};

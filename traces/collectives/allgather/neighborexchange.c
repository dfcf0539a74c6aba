/* SimGrid 3.32: src/smpi/colls/allgather/allgather-ompi-neighborexchange.cpp. */
#include "traces/collectives/allgather/allgather.h"
#include "traces/collectives/blocks.h"

const struct lower_algorithm lower_allgather_ompi_neighborexchange = {
    .row = {"ompi_neighborexchange", "two blocks a round with either neighbour in turn"},
    .steps = blocks_neighbor_steps,
    .step = blocks_neighbor_step};

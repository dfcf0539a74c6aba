/* SimGrid 3.32: allgatherv-ring.cpp and allgatherv-pair.cpp in src/smpi/colls/allgatherv. */
#include "traces/collectives/allgatherv/allgatherv.h"
#include "traces/collectives/blocks.h"
#include "traces/collectives/rounds.h"

const struct lower_algorithm lower_allgatherv_ring = {
    .row = {"ring", "a round a distance: sends that far ahead, receives from that far behind"},
    .steps = rounds_steps,
    .step = blocks_ring_step};

const struct lower_algorithm lower_allgatherv_pair = {
    .row = {"pair", "one partner a round, by exclusive or"},
    .steps = rounds_steps,
    .step = blocks_pair_step};

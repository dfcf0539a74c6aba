#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/blocks.h"
#include "traces/collectives/shapes/doubling.h"

static const struct lower_algorithm DOUBLING = {.steps = doubling_steps,
                                                .step = blocks_doubling_step};

/* If all blocks are empty, sends no messages, not even empty ones. */
static const struct lower_algorithm *pick(const struct lowering *l)
{
  return blocks_bytes(l, 0, l->ranks) == 0 ? &lower_nothing : &DOUBLING;
}

const struct lower_algorithm lower_allgatherv_mpich_rdb = {
    .row = {"mpich_rdb", "recursive doubling", "allgatherv/allgatherv-mpich-rdb.cpp"},
    .pick = pick};

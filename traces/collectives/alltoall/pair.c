#include "traces/collectives/alltoall/alltoall.h"
#include "traces/collectives/shapes/rounds.h"

/* SMPI's pair fails if the number of ranks is no power of two, although SMPI's selector picks it.
 * The partners of ring are used in this case. */
static bool pair_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return rounds_step(l, i, lower_power_of_two(l->ranks), op);
}

static bool ring_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return rounds_step(l, i, false, op);
}

const struct lower_algorithm lower_alltoall_pair = {
    .row = {"pair", "one partner a round, by exclusive or", "alltoall/alltoall-pair.cpp"},
    .steps = rounds_steps,
    .step = pair_step};

const struct lower_algorithm lower_alltoall_ring = {
    .row = {"ring", "a round a distance: sends that far ahead, receives from that far behind",
            "alltoall/alltoall-ring.cpp"},
    .steps = rounds_steps,
    .step = ring_step};

#include "traces/collectives/alltoallv/alltoallv.h"
#include "traces/collectives/shapes/rounds.h"

/* SMPI's pair fails if the number of ranks is no power of two, and its ring uses exclusive or if it
 * is one.  Both are therefore the same here. */
static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  return rounds_step(l, i, lower_power_of_two(l->ranks), op);
}

const struct lower_algorithm lower_alltoallv_pair = {
    .row = {"pair", "one partner a round, by exclusive or", "alltoallv/alltoallv-pair.cpp"},
    .steps = rounds_steps,
    .step = step};

const struct lower_algorithm lower_alltoallv_ring = {
    .row = {"ring", "a round a distance: sends that far ahead, receives from that far behind",
            "alltoallv/alltoallv-ring.cpp"},
    .steps = rounds_steps,
    .step = step};

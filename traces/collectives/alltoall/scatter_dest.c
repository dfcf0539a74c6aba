#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/posted.h"

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  return l->recv_bytes > 0 && posted_by_four_step(l, i, op);
}

const struct lower_algorithm lower_alltoall_mvapich2_scatter_dest = {
    .row = {"mvapich2_scatter_dest",
            "four sends and receives posted at once, also to the rank itself",
            "alltoall/alltoall-mvapich-scatter-dest.cpp"},
    .steps = posted_by_four_steps,
    .step = step,
    .variant = POSTED_SELF};

#include "traces/collectives/reduce_scatter/reduce_scatter.h"
#include "traces/collectives/shapes/doubling.h"

/* Bytes of the parts of all ranks outside of the subtree, which keeps its own parts. */
static uint64_t outside(const struct lowering *l, uint64_t first, uint64_t size)
{
  return (reduce_scatter_sum(l, 0, first) + reduce_scatter_sum(l, first + size, l->ranks)) *
         l->recv_size;
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct doubling d = {LOWER_TAG_REDUCESCATTER, outside};
  return doubling_step(l, i, &d, op);
}

const struct lower_algorithm lower_reduce_scatter_mpich_rdb = {
    .row = {"mpich_rdb", "recursive doubling", "reduce_scatter/reduce_scatter-mpich.cpp"},
    .steps = doubling_steps,
    .step = step};

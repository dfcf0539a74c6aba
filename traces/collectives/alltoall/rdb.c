/* SimGrid 3.32: src/smpi/colls/alltoall/alltoall-rdb.cpp: an allgather of all blocks. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/doubling.h"

static uint64_t subtree_bytes(const struct lowering *l, uint64_t first, uint64_t size)
{
  return (first + size > l->ranks ? l->ranks - first : size) * l->ranks * l->send_bytes;
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  static const struct doubling DOUBLING = {LOWER_TAG_ALLTOALL, subtree_bytes};
  return doubling_step(l, i, &DOUBLING, op);
}

const struct lower_algorithm lower_alltoall_rdb = {
    .row = {"rdb", "recursive doubling of all blocks", "alltoall/alltoall-rdb.cpp"},
    .steps = doubling_steps,
    .step = step};

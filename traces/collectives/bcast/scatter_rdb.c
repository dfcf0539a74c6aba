#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/doubling.h"
#include "traces/collectives/shapes/tree.h"

/* The doubling counts ranks from the root. */
static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  static const struct doubling DOUBLING = {LOWER_TAG_BCAST, lower_bcast_parts};
  struct lowering from_root = *l;
  from_root.rank = tree_relative(l);
  if (!doubling_step(&from_root, i, &DOUBLING, op))
    return false;
  if (op->kind != OP_WAITALL)
    op->peer = tree_absolute(l, op->peer);
  return true;
}

static const struct lower_algorithm doubling = {.steps = doubling_steps, .step = step};

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  (void)sub;
  if (l->send_bytes == 0)
    return NULL;
  if (k == 0)
    return &lower_bcast_scatter;
  return k == 1 ? &doubling : NULL;
}

const struct lower_algorithm lower_bcast_scatter_rdb_allgather = {
    .row = {"scatter_rdb_allgather",
            "a part to each rank by a binomial tree, then recursive doubling",
            "bcast/bcast-scatter-rdb-allgather.cpp"},
    .piece = piece};

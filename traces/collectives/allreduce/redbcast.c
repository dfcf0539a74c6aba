#include "traces/collectives/algorithms.h"

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  sub->root = 0;
  if (k == 0)
    return lower_chosen(l, ACTION_REDUCE);
  return k == 1 ? lower_chosen(l, ACTION_BCAST) : NULL;
}

const struct lower_algorithm lower_allreduce_redbcast = {
    .row = {"redbcast", "the chosen reduce to rank 0, then the chosen bcast",
            "allreduce/allreduce-redbcast.cpp"},
    .piece = piece};

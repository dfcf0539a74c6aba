#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/blocks.h"

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  sub->root = 0;
  if (k == 0)
    return lower_chosen(l, ACTION_GATHERV);
  sub->send_bytes = blocks_bytes(l, 0, l->ranks);
  sub->send_size = l->recv_size;
  sub->count = l->recv_size == 0 ? 0 : sub->send_bytes / l->recv_size;
  sub->sendcounts = sub->recvcounts = NULL;
  return k == 1 ? lower_chosen(l, ACTION_BCAST) : NULL;
}

const struct lower_algorithm lower_allgatherv_gb = {
    .row = {"GB", "the chosen gatherv to rank 0, then the chosen bcast",
            "allgatherv/allgatherv-GB.cpp"},
    .piece = piece};

#include "traces/collectives/algorithms.h"

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  sub->root = 0;
  if (k == 0)
    return lower_chosen(l, ACTION_GATHER);
  sub->send_size = l->recv_size;
  sub->send_bytes = l->recv_bytes * l->ranks;
  sub->count = l->count * l->ranks;
  return k == 1 ? lower_chosen(l, ACTION_BCAST) : NULL;
}

const struct lower_algorithm lower_allgather_gb = {
    .row = {"GB", "the chosen gather to rank 0, then the chosen bcast",
            "allgather/allgather-GB.cpp"},
    .piece = piece};

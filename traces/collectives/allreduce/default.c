#include "traces/collectives/algorithms.h"

/* SimGrid 3.32: src/smpi/colls/smpi_default_selector.cpp. */
static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  (void)l;
  sub->root = 0;
  if (k == 0)
    return &lower_reduce_default;
  return k == 1 ? &lower_bcast_default : NULL;
}

const struct lower_algorithm lower_allreduce_default = {
    .row = {"default", "linear reduce to rank 0, then binomial bcast", "smpi_default_selector.cpp"},
    .piece = piece};

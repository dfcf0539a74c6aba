/* SimGrid 3.32: bcast__mpich in src/smpi/colls/smpi_mpich_selector.cpp. */
#include "traces/collectives/bcast/bcast.h"

static const struct lower_algorithm *pick(const struct lowering *l, uint32_t k,
                                          struct lowering *sub)
{
  (void)sub;
  if (k > 0)
    return NULL;
  if (l->send_bytes < 12288 || l->ranks <= 8)
    return &lower_bcast_binomial_tree;
  if (l->send_bytes < 524288 && l->ranks % 2 == 0)
    return &lower_bcast_scatter_rdb_allgather;
  return &lower_bcast_scatter_lr_allgather;
}

const struct lower_algorithm lower_bcast_mpich_flat = {.piece = pick};

#include "traces/collectives/rows.h"

#include "traces/collectives/bcast/bcast.h"

static const struct lower_algorithm *pick(const struct lowering *l, uint32_t k,
                                          struct lowering *sub)
{
  (void)l;
  (void)sub;
  return k == 0 ? &lower_bcast_binomial_tree : NULL;
}

const struct lower_algorithm lower_bcast_default = {.row = {"default", "binomial_tree"},
                                                    .piece = pick};

const struct lower_algorithm *const lower_bcast_rows[] = {
    &lower_bcast_default,
    &lower_bcast_binomial_tree,
    &lower_bcast_flattree,
    &lower_bcast_scatter_lr_allgather,
    &lower_bcast_scatter_rdb_allgather,
    &lower_bcast_smp_binomial,
    NULL,
};

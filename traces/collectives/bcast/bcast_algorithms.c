#include "traces/collectives/algorithms.h"

#include "traces/collectives/bcast/bcast.h"

static const struct lower_algorithm *pick(const struct lowering *l, uint32_t k,
                                          struct lowering *sub)
{
  (void)l;
  (void)sub;
  return k == 0 ? &lower_bcast_binomial_tree : NULL;
}

const struct lower_algorithm lower_bcast_default = {
    .row = {"default", "binomial_tree", "smpi_default_selector.cpp"}, .piece = pick};

const struct lower_algorithm *const lower_bcast_rows[] = {
    &lower_bcast_default,
    &lower_bcast_binomial_tree,
    &lower_bcast_flattree,
    &lower_bcast_flattree_pipeline,
    &lower_bcast_ntsb,
    &lower_bcast_ntsl,
    &lower_bcast_ntsl_isend,
    &lower_bcast_scatter_lr_allgather,
    &lower_bcast_scatter_rdb_allgather,
    &lower_bcast_smp_binary,
    &lower_bcast_smp_binomial,
    &lower_bcast_smp_linear,
    &lower_bcast_ompi_split_bintree,
    &lower_bcast_ompi_pipeline,
    &lower_bcast_mvapich2_inter_node_whole,
    &lower_bcast_mvapich2_intra_node,
    &lower_bcast_mvapich2_knomial_intra_node,
    NULL,
};

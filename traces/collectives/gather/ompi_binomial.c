/* SimGrid 3.32: src/smpi/colls/gather/gather-ompi.cpp, and the tree of
 * ompi_coll_tuned_topo_build_in_order_bmtree() in coll_tuned_topo.cpp. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/tree.h"

/* Receives from the children, the nearest first, then sends all blocks to the parent. */
static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t rel = tree_relative(l), bit = tree_own_bit(l), child = rel + (UINT64_C(1) << i);
  const uint64_t block = rel == 0 ? l->recv_bytes : l->send_bytes;
  if (i + 1 == tree_steps(l))
    return rel != 0 && lower_send(op, tree_absolute(l, rel - bit), LOWER_TAG_GATHER,
                                  tree_size(l, rel, bit) * block);
  return UINT64_C(1) << i < bit && child < l->ranks &&
         lower_recv(op, tree_absolute(l, child), LOWER_TAG_GATHER,
                    tree_size(l, child, child - rel) * block);
}

const struct lower_algorithm lower_gather_ompi_binomial = {
    .row = {"ompi_binomial", "binomial tree", "gather/gather-ompi.cpp"},
    .steps = tree_steps,
    .step = step};

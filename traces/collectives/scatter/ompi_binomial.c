/* SimGrid 3.32: src/smpi/colls/scatter/scatter-ompi.cpp, and the tree of
 * ompi_coll_tuned_topo_build_in_order_bmtree() in coll_tuned_topo.cpp. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/tree.h"

/* Receives from the parent, then sends to the children, the nearest first. */
static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t rel = tree_relative(l), bit = tree_own_bit(l);
  const uint64_t block = rel == 0 ? l->send_bytes : l->recv_bytes;
  if (i == 0)
    return rel != 0 && lower_recv(op, tree_absolute(l, rel - bit), LOWER_TAG_SCATTER,
                                  tree_size(l, rel, bit) * block);
  const uint64_t mask = UINT64_C(1) << (i - 1), child = rel + mask;
  return mask < bit && child < l->ranks &&
         lower_send(op, tree_absolute(l, child), LOWER_TAG_SCATTER,
                    tree_size(l, child, mask) * block);
}

const struct lower_algorithm lower_scatter_ompi_binomial = {
    .row = {"ompi_binomial", "binomial tree", "scatter/scatter-ompi.cpp"},
    .steps = tree_steps,
    .step = step};

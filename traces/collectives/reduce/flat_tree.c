/* SimGrid 3.32: src/smpi/colls/reduce/reduce-flat-tree.cpp, and reduce__ompi_basic_linear in
 * reduce-ompi.cpp. */
#include "traces/collectives/algorithms.h"

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  if (l->rank != l->root)
    return lower_send(op, l->root, LOWER_TAG_REDUCE, l->send_bytes);
  const uint32_t peer = l->ranks - 1 - (uint32_t)i;
  return peer != l->root && lower_recv(op, peer, LOWER_TAG_REDUCE, l->send_bytes);
}

const struct lower_algorithm lower_reduce_flat_tree = {
    .row = {"flat_tree",
            "all send to the root, which receives from one after another, the last first",
            "reduce/reduce-flat-tree.cpp"},
    .steps = lower_rooted_steps,
    .step = step};

const struct lower_algorithm lower_reduce_ompi_basic_linear = {
    .row = {"ompi_basic_linear", "as flat_tree", "reduce/reduce-ompi.cpp"},
    .steps = lower_rooted_steps,
    .step = step};

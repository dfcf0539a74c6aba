#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/tree.h"

/* Step 0 receives from the parent; the other steps send to the children, the farthest first. */
static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t rel = tree_relative(l), bit = tree_own_bit(l);
  if (i == 0)
    return rel != 0 && lower_recv(op, tree_absolute(l, rel - bit), LOWER_TAG_BCAST, l->send_bytes);
  const uint64_t mask = bit >> i;
  return mask != 0 && rel + mask < l->ranks &&
         lower_send(op, tree_absolute(l, rel + mask), LOWER_TAG_BCAST, l->send_bytes);
}

const struct lower_algorithm lower_bcast_binomial_tree = {
    .row = {"binomial_tree", "binomial tree", "bcast/bcast-binomial-tree.cpp"},
    .steps = tree_steps,
    .step = step};

const struct lower_algorithm lower_bcast_default = {
    .row = {"default", "binomial_tree", "smpi_default_selector.cpp"},
    .pieces = LOWER_PIECES(&lower_bcast_binomial_tree)};

#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/tree.h"

/* Number of receives: TREE_FOUR - 1 per level of children. */
static uint64_t receives(const struct lowering *l)
{
  uint64_t n = 0;
  for (uint64_t d = tree_four_own(l); d > 1; d /= TREE_FOUR)
    n += TREE_FOUR - 1;
  return n;
}

static uint64_t steps(const struct lowering *l)
{
  return l->count == 0 ? 0 : receives(l) + 3;
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t relative = tree_relative(l), n = receives(l);
  if (i == n || i == n + 2)
    return lower_waitall(op);
  if (i == n + 1)
    return relative != 0 && lower_isend(op, tree_four_parent(l), LOWER_TAG_REDUCE, l->send_bytes);
  uint64_t child = relative + (TREE_FOUR - 1 - i % (TREE_FOUR - 1));
  for (uint64_t level = i / (TREE_FOUR - 1); level > 0; level--)
    child = relative + (child - relative) * TREE_FOUR;
  return child < l->ranks &&
         lower_irecv(op, tree_absolute(l, child), LOWER_TAG_REDUCE, l->send_bytes);
}

const struct lower_algorithm lower_reduce_mvapich2_knomial = {
    .row = {"mvapich2_knomial", "4-nomial tree, all children at once",
            "reduce/reduce-mvapich-knomial.cpp"},
    .steps = steps,
    .step = step};

#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/tree.h"

/* The reverse of a binomial bcast: receives from the children, the nearest first, then sends to the
 * parent. */
static bool tree_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t rel = tree_relative(l), bit = tree_own_bit(l), mask = UINT64_C(1) << i;
  if (mask > bit)
    return false;
  if (mask == bit)
    return rel != 0 && lower_send(op, tree_absolute(l, rel - bit), LOWER_TAG_REDUCE, l->send_bytes);
  return rel + mask < l->ranks &&
         lower_recv(op, tree_absolute(l, rel + mask), LOWER_TAG_REDUCE, l->send_bytes);
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  return l->send_bytes > 0 && tree_step(l, i, op);
}

const struct lower_algorithm lower_reduce_binomial = {
    .row = {"binomial", "binomial tree", "reduce/reduce-binomial.cpp"},
    .steps = tree_steps,
    .step = step};

const struct lower_algorithm lower_reduce_tree = {.steps = tree_steps, .step = tree_step};

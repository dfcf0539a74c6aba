#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/levels.h"

enum {
  SHORT_BYTES = 2048,            /* on one node: linear up to this size */
  SHARED_BYTES_A_RANK = 1 << 17, /* within a node: linear below this times the node's ranks */
};

static const struct lower_algorithm *within(const struct lowering *l, struct lowering *sub)
{
  if (!lower_enter(l, LOWER_NODE, sub) || sub->ranks == 1)
    return &lower_nothing;
  if (l->within == NULL)
    return &lower_reduce_mpich;
  if (l->within == &lower_reduce_ompi_basic_linear &&
      l->send_bytes >= (uint64_t)SHARED_BYTES_A_RANK * sub->ranks)
    return &lower_reduce_mvapich2_knomial;
  return l->within;
}

static const struct lower_algorithm *between(const struct lowering *l, struct lowering *sub)
{
  if (!lower_enter(l, LOWER_LEADERS, sub))
    return &lower_nothing;
  sub->root = lower_node_of(l, l->root);
  return l->between == NULL ? &lower_reduce_mpich : l->between;
}

static const struct lower_algorithm *on_one_node(const struct lowering *l, uint32_t k,
                                                 struct lowering *sub)
{
  if (l->send_bytes > SHORT_BYTES)
    return k == 1 ? &lower_reduce_mvapich2_knomial : NULL;
  if (k == 2)
    return &levels_reduce_to_root;
  lower_enter(l, LOWER_NODE, sub);
  return k == 1 ? &lower_reduce_ompi_basic_linear : NULL;
}

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  if (k == 0)
    return lower_prepared(l);
  if (lower_nodes(l) == 1)
    return on_one_node(l, k, sub);
  if (k == 1)
    return within(l, sub);
  if (k == 2)
    return between(l, sub);
  return k == 3 ? &levels_reduce_to_root : NULL;
}

const struct lower_algorithm lower_reduce_mvapich2_two_level = {
    .row = {"mvapich2_two_level", "within each node, between leaders, then to the root",
            "reduce/reduce-mvapich-two-level.cpp"},
    .piece = piece};

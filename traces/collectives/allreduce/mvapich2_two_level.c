#include "traces/collectives/algorithms.h"

/* Between leaders SMPI uses rdb if it is chosen, and mvapich2_rs for all other choices. */
static const struct lower_algorithm *between(const struct lowering *l)
{
  return l->between == NULL || l->between == &lower_allreduce_rdb ? &lower_allreduce_rdb
                                                                  : &lower_allreduce_mvapich2_rs;
}

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  if (k == 0)
    return lower_prepared(l);
  if (l->count == 0 || k > 3)
    return NULL;
  if (k == 2)
    return lower_nodes(l) > 1 && lower_enter(l, LOWER_LEADERS, sub) ? between(l) : &lower_nothing;
  lower_enter(l, LOWER_NODE, sub);
  if (k == 3)
    return lower_chosen(l, ACTION_BCAST);
  return l->within == NULL ? &lower_allreduce_mpich : l->within;
}

const struct lower_algorithm lower_allreduce_mvapich2_two_level = {
    .row = {"mvapich2_two_level", "within each node, between leaders, then a bcast in each node",
            "allreduce/allreduce-mvapich-two-level.cpp"},
    .piece = piece};

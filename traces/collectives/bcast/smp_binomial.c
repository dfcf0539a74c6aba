#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/levels.h"

/* Nodes are blocks of consecutive ranks (levels.h).  SMPI also sends messages to ranks of the next
 * node where the tree within a node is incomplete; no rank receives them. */
static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  if (k == 0)
    return lower_prepared(l);
  if (!lower_uniform(l))
    return k == 1 ? &lower_bcast_mpich : NULL;
  if (k == 1)
    return &lower_bcast_to_first;
  if (k == 2)
    return levels_between(l, &lower_bcast_binomial_tree, sub);
  return k == 3 ? levels_within(l, &lower_bcast_binomial_tree, sub) : NULL;
}

const struct lower_algorithm lower_bcast_smp_binomial = {
    .row = {"SMP_binomial", "to rank 0, then binomial trees between nodes and within each",
            "bcast/bcast-SMP-binomial.cpp"},
    .piece = piece};

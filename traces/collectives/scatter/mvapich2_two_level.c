#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/levels.h"

static const struct lower_algorithm *within(const struct lowering *l, struct lowering *sub)
{
  lower_enter(l, LOWER_NODE, sub);
  sub->send_bytes = l->recv_bytes;
  return l->within == NULL ? &lower_scatter_ompi_binomial : l->within;
}

/* The leaders run l->algorithm->part if all hosts have the same number of ranks. */
static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  if (k == 0)
    return lower_prepared(l);
  if ((l->rank == l->root ? l->recv_bytes : l->send_bytes) == 0)
    return NULL;
  if (lower_nodes(l) == 1)
    return k == 1 ? &lower_scatter_ompi_basic_linear : NULL;
  if (k == 1)
    return &levels_scatter_from_root;
  if (k == 2 && !lower_uniform(l))
    return &levels_scatter;
  if (k == 2)
    return levels_enter_leaders(l, sub) ? l->algorithm->part : &lower_nothing;
  return k == 3 ? within(l, sub) : NULL;
}

const struct lower_algorithm lower_scatter_mvapich2_two_level_binomial = {
    .row = {"mvapich2_two_level_binomial", "binomial trees between hosts, then within each",
            "scatter/scatter-mvapich-two-level.cpp"},
    .piece = piece,
    .part = &lower_scatter_ompi_binomial};

const struct lower_algorithm lower_scatter_mvapich2_two_level_direct = {
    .row = {"mvapich2_two_level_direct", "linear between hosts, then binomial trees within each",
            "scatter/scatter-mvapich-two-level.cpp"},
    .piece = piece,
    .part = &lower_scatter_ompi_basic_linear};

/* SimGrid 3.32: src/smpi/colls/gather/gather-mvapich.cpp.  SMPI crashes if hosts have different
 * numbers of ranks: it uses the number of leaders as the rank of a leader. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/levels.h"

static const struct lower_algorithm *within(const struct lowering *l, struct lowering *sub)
{
  lower_enter(l, LOWER_NODE, sub);
  sub->recv_bytes = l->send_bytes;
  return l->within == NULL ? &lower_gather_ompi_binomial : l->within;
}

static const struct lower_algorithm *between(const struct lowering *l, struct lowering *sub)
{
  if (!lower_uniform(l))
    return &levels_gather;
  return levels_enter_leaders(l, sub) ? &lower_gather_ompi_basic_linear : &lower_nothing;
}

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  if (k == 0)
    return lower_prepared(l);
  if ((l->rank == l->root ? l->recv_bytes : l->send_bytes) == 0)
    return NULL;
  if (k == 1)
    return within(l, sub);
  if (k == 2)
    return between(l, sub);
  return k == 3 ? &levels_gather_to_root : NULL;
}

const struct lower_algorithm lower_gather_mvapich2_two_level = {
    .row = {"mvapich2_two_level", "binomial tree within each host, then linear between hosts",
            "gather/gather-mvapich.cpp"},
    .piece = piece};

/* SimGrid 3.32: src/smpi/colls/allgather/allgather-mvapich-smp.cpp.  SMPI fails if the ranks of a
 * host are not consecutive, and if hosts have different numbers of ranks: its branch for the latter
 * case is never reached. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/levels.h"

static const struct lower_algorithm *between(const struct lowering *l, struct lowering *sub)
{
  if (lower_nodes(l) == 1)
    return &lower_nothing;
  if (!lower_uniform(l))
    return &levels_allgather;
  return levels_enter_leaders(l, sub) ? &lower_allgather_mpich : &lower_nothing;
}

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  if (k == 0)
    return lower_prepared(l);
  if (l->recv_bytes == 0)
    return NULL;
  if (k == 2)
    return between(l, sub);
  lower_enter(l, LOWER_NODE, sub);
  if (k == 1)
    return lower_chosen(l, ACTION_GATHER);
  sub->send_size = l->recv_size;
  sub->send_bytes = l->recv_bytes * l->ranks;
  sub->count = l->count * l->ranks;
  return k == 3 ? lower_chosen(l, ACTION_BCAST) : NULL;
}

const struct lower_algorithm lower_allgather_mvapich2_smp = {
    .row = {"mvapich2_smp", "gather within each host, allgather between hosts, bcast within each",
            "allgather/allgather-mvapich-smp.cpp"},
    .piece = piece};

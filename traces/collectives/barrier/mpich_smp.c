#include "traces/collectives/algorithms.h"

/* The leader releases its node by a bcast of one byte. */
static const struct lower_algorithm *release(const struct lowering *l, struct lowering *sub)
{
  lower_enter(l, LOWER_NODE, sub);
  sub->count = sub->send_size = sub->send_bytes = 1;
  return &lower_bcast_mpich;
}

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  switch (k) {
  case 0:
    return lower_prepared(l);
  case 1:
    lower_enter(l, LOWER_NODE, sub);
    return &lower_barrier_ompi_bruck;
  case 2:
    return lower_enter(l, LOWER_LEADERS, sub) ? &lower_barrier_ompi_bruck : &lower_nothing;
  case 3:
    return release(l, sub);
  default:
    return NULL;
  }
}

const struct lower_algorithm lower_barrier_mpich_smp = {
    .row = {"mpich_smp", "dissemination in each node, then among leaders, which release the others",
            "barrier/barrier-mpich-smp.cpp"},
    .piece = piece};

/* SimGrid 3.32: Comm::init_smp() in src/smpi/mpi/smpi_comm.cpp. */
#include "traces/collectives/allgather/allgather.h"
#include "traces/collectives/allreduce/allreduce.h"

/* Everything is an int: who leads, how many ranks the node has, are they consecutive. */
static void set_int(struct lowering *l)
{
  l->send_size = l->recv_size = l->send_bytes = l->recv_bytes = sizeof(int32_t);
  l->count = 1;
  l->sendcounts = l->recvcounts = NULL;
}

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  if (k == 1 && !lower_enter(l, LOWER_LEADERS, sub))
    return &lower_nothing;
  set_int(sub);
  sub->root = 0;
  if (k < 2)
    return &lower_allgather_ring;
  return k == 2 ? &lower_allreduce_default : NULL;
}

const struct lower_algorithm lower_prepare = {.piece = piece};

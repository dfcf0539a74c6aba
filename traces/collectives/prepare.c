/* SimGrid 3.32: Comm::init_smp() in src/smpi/mpi/smpi_comm.cpp.  Each message is an int: the
 * leader, the number of ranks on the node, whether all nodes have the same number, whether the
 * ranks of nodes are consecutive. */
#include "traces/collectives/algorithms.h"

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  static const struct lower_algorithm *const PIECE[] = {
      &lower_allgather_ring, &lower_allgather_ring, &lower_bcast_scatter_lr_allgather,
      &lower_allreduce_default};
  if (k >= sizeof PIECE / sizeof *PIECE)
    return NULL;
  if ((k == 1 && !lower_enter(l, LOWER_LEADERS, sub)) ||
      (k == 2 && !lower_enter(l, LOWER_NODE, sub)))
    return &lower_nothing;
  sub->send_size = sub->recv_size = sub->send_bytes = sub->recv_bytes = sizeof(int32_t);
  sub->count = 1;
  sub->sendcounts = sub->recvcounts = NULL;
  sub->root = 0;
  return PIECE[k];
}

const struct lower_algorithm lower_prepare = {.piece = piece};

#include "traces/collectives/algorithms.h"

static uint64_t steps(const struct lowering *l)
{
  return l->rank == l->root ? (uint64_t)l->ranks + 1 : 2;
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  if (l->rank != l->root)
    return i == 0 && lower_recv(op, l->root, LOWER_TAG_BCAST, l->send_bytes);
  if (i == l->ranks)
    return lower_waitall(op);
  return i != l->root && lower_isend(op, (uint32_t)i, LOWER_TAG_BCAST, l->send_bytes);
}

const struct lower_algorithm lower_bcast_flattree = {
    .row = {"flattree", "the root sends to all at once", "bcast/bcast-flattree.cpp"},
    .steps = steps,
    .step = step};

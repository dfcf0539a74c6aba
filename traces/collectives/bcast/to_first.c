/* First step of SMPI's algorithms that always use rank 0 as root. */
#include "traces/collectives/algorithms.h"

static uint64_t steps(const struct lowering *l)
{
  return l->root == 0 ? 0 : 1;
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  (void)i;
  if (l->rank == l->root)
    return lower_send(op, 0, LOWER_TAG_BCAST, l->send_bytes);
  return l->rank == 0 && lower_recv(op, l->root, LOWER_TAG_BCAST, l->send_bytes);
}

const struct lower_algorithm lower_bcast_to_first = {.steps = steps, .step = step};

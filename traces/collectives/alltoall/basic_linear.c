#include "traces/collectives/alltoall/alltoall.h"

static uint64_t steps(const struct lowering *l)
{
  return l->ranks == 1 ? 0 : 2 * (uint64_t)l->ranks + 1;
}

/* All receives from the next rank on, then all sends from the previous rank down. */
static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t n = l->ranks, away = i % n;
  if (i == 2 * n)
    return lower_waitall(op);
  if (away == 0)
    return false;
  return i < n
             ? lower_irecv(op, (uint32_t)((l->rank + away) % n), LOWER_TAG_ALLTOALL, l->recv_bytes)
             : lower_isend(op, (uint32_t)((l->rank + n - away) % n), LOWER_TAG_ALLTOALL,
                           l->send_bytes);
}

const struct lower_algorithm lower_alltoall_basic_linear = {
    .row = {"basic_linear", "all sends and receives posted at once",
            "alltoall/alltoall-basic-linear.cpp"},
    .steps = steps,
    .step = step};

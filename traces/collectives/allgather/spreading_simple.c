#include "traces/collectives/algorithms.h"

static uint64_t steps(const struct lowering *l)
{
  return 2 * (uint64_t)l->ranks + 1;
}

/* Posts all receives, then all sends, both from the next rank on. */
static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t n = l->ranks;
  const uint32_t peer = (uint32_t)((l->rank + i) % n);
  if (i == 2 * n)
    return lower_waitall(op);
  if (peer == l->rank)
    return false;
  return i < n ? lower_irecv(op, peer, LOWER_TAG_ALLGATHER, l->recv_bytes)
               : lower_isend(op, peer, LOWER_TAG_ALLGATHER, l->send_bytes);
}

const struct lower_algorithm lower_allgather_spreading_simple = {
    .row = {"spreading_simple", "linear, each rank starts with the next one",
            "allgather/allgather-spreading-simple.cpp"},
    .steps = steps,
    .step = step};

/* SimGrid 3.32: src/smpi/colls/allgather/allgather-ring.cpp. */
#include "traces/collectives/allgather/allgather.h"
#include "traces/collectives/rounds.h"

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  struct lower_exchange x = rounds_partners(l, i / LOWER_EXCHANGE_STEPS, false);
  x.tag = LOWER_TAG_ALLGATHER;
  x.send_bytes = l->send_bytes;
  x.recv_bytes = l->recv_bytes;
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

const struct lower_algorithm lower_allgather_ring = {
    .row = {"ring", "a round a distance: sends that far ahead, receives from that far behind"},
    .steps = rounds_steps,
    .step = step};

/* SimGrid 3.32: src/smpi/colls/reduce_scatter/reduce_scatter-mpich.cpp. */
#include "traces/collectives/reduce_scatter/reduce_scatter.h"

static uint64_t steps(const struct lowering *l)
{
  const bool nothing = reduce_scatter_sum(l, 0, l->ranks) == 0;
  return nothing ? 0 : (uint64_t)l->ranks * LOWER_EXCHANGE_STEPS;
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t round = i / LOWER_EXCHANGE_STEPS;
  struct lower_exchange x = {.self = l->rank,
                             .dst = (uint32_t)((l->rank + round) % l->ranks),
                             .src = (uint32_t)((l->rank + l->ranks - round) % l->ranks),
                             .tag = LOWER_TAG_REDUCESCATTER};
  x.send_bytes = lower_bytes_from(l, x.dst);
  x.recv_bytes = lower_bytes_from(l, l->rank);
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

const struct lower_algorithm lower_reduce_scatter_mpich_pair = {
    .row = {"mpich_pair", "one partner a round"}, .steps = steps, .step = step};

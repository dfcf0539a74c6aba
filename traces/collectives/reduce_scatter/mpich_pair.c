#include "traces/collectives/reduce_scatter/reduce_scatter.h"
#include "traces/collectives/shapes/rounds.h"

static uint64_t steps(const struct lowering *l)
{
  return reduce_scatter_sum(l, 0, l->ranks) == 0 ? 0 : rounds_steps(l);
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  struct lower_exchange x = lower_shift(l, i / LOWER_EXCHANGE_STEPS, LOWER_TAG_REDUCESCATTER);
  x.send_bytes = lower_bytes_from(l, x.dst);
  x.recv_bytes = lower_bytes_from(l, l->rank);
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

const struct lower_algorithm lower_reduce_scatter_mpich_pair = {
    .row = {"mpich_pair", "sends to rank + round, receives from rank - round",
            "reduce_scatter/reduce_scatter-mpich.cpp"},
    .steps = steps,
    .step = step};

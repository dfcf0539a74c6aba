#include "traces/collectives/algorithms.h"

/* Number of blocks sent in round @p bit: the numbers in 1..ranks-1 with this bit set. */
static uint64_t blocks_with(uint64_t ranks, uint32_t bit)
{
  const uint64_t half = UINT64_C(1) << bit, period = 2 * half;
  const uint64_t rest = ranks % period;
  return ranks / period * half + (rest > half ? rest - half : 0);
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint32_t bit = (uint32_t)(i / LOWER_EXCHANGE_STEPS);
  struct lower_exchange x = lower_shift(l, UINT64_C(1) << bit, LOWER_TAG_ALLTOALL);
  x.send_bytes = blocks_with(l->ranks, bit) * l->send_bytes;
  x.recv_bytes = blocks_with(l->ranks, bit) * l->recv_bytes;
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

const struct lower_algorithm lower_alltoall_bruck = {
    .row = {"bruck", "log2(ranks) rounds of packed blocks", "alltoall/alltoall-bruck.cpp"},
    .steps = lower_rounds_steps,
    .step = step};

#include "traces/collectives/shapes/doubling.h"

#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/blocks.h"

const struct lower_algorithm lower_allgather_rdb = {
    .row = {"rdb", "recursive doubling", "allgather/allgather-rdb.cpp"},
    .steps = doubling_steps,
    .step = blocks_doubling_step};

/* A rank first exchanges its block with the rank whose number has the same bits in reverse order.
 * The partners of the following rounds can then be taken from the farthest to the nearest, while
 * the number of blocks doubles in each round.  SMPI's rhv fails if the number of ranks is no power
 * of two; here rdb replaces it. */
static uint64_t rhv_steps(const struct lowering *l)
{
  if (!lower_power_of_two(l->ranks))
    return doubling_steps(l);
  return ((uint64_t)lower_rounds(l->ranks) + 1) * LOWER_EXCHANGE_STEPS;
}

static bool rhv_step(const struct lowering *l, uint64_t i, struct op *op)
{
  if (!lower_power_of_two(l->ranks))
    return blocks_doubling_step(l, i, op);
  const uint32_t bits = lower_rounds(l->ranks), round = (uint32_t)(i / LOWER_EXCHANGE_STEPS);
  const uint64_t blocks = round == 0 ? 1 : UINT64_C(1) << (round - 1);
  const uint32_t peer =
      round == 0 ? lower_reversed(l->rank, bits) : l->rank ^ UINT32_C(1) << (bits - round);
  struct lower_exchange x = lower_swap(l, peer, LOWER_TAG_ALLGATHER);
  x.send_bytes = blocks * l->send_bytes;
  x.recv_bytes = blocks * l->recv_bytes;
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

const struct lower_algorithm lower_allgather_rhv = {
    .row = {"rhv", "recursive doubling, the farthest partner first", "allgather/allgather-rhv.cpp"},
    .steps = rhv_steps,
    .step = rhv_step};

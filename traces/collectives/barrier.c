/* Barriers: src/smpi/colls/barrier/barrier-ompi.cpp of SimGrid 3.32. */
#include "traces/collectives/lower.h"

static const int32_t TAG = LOWER_TAG_BARRIER;

/* Rank 0 collects and then releases: ompi_basic_linear. */
static uint64_t linear_steps(const struct lowering *l)
{
  return l->rank == 0 ? 2 * (uint64_t)l->ranks : 2;
}

static bool linear_step(const struct lowering *l, uint64_t i, struct op *op)
{
  if (l->rank != 0)
    return i == 0 ? lower_send(op, 0, TAG, 0) : lower_recv(op, 0, TAG, 0);
  const uint64_t at = i % l->ranks;
  if (at == l->ranks - 1)
    return l->ranks > 1 && lower_waitall(op);
  const uint32_t peer = (uint32_t)at + 1;
  return i < l->ranks ? lower_irecv(op, peer, TAG, 0) : lower_isend(op, peer, TAG, 0);
}

const struct lower_part lower_barrier_linear = {linear_steps, linear_step};

static uint64_t rounds_steps(const struct lowering *l)
{
  return (uint64_t)lower_rounds(l->ranks) * LOWER_EXCHANGE_STEPS;
}

/* Dissemination: ompi_bruck. */
static bool bruck_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint32_t distance = UINT32_C(1) << (i / LOWER_EXCHANGE_STEPS);
  const struct lower_exchange x = {
      .self = l->rank,
      .dst = (uint32_t)(((uint64_t)l->rank + distance) % l->ranks),
      .src = (uint32_t)(((uint64_t)l->rank + l->ranks - distance) % l->ranks),
      .tag = TAG};
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

const struct lower_part lower_barrier_bruck = {rounds_steps, bruck_step};

/* The largest power of two that is not above the number of ranks. */
static uint32_t power_below(uint32_t ranks)
{
  const uint32_t n = lower_rounds(ranks);
  return (UINT64_C(1) << n) == ranks ? ranks : UINT32_C(1) << (n - 1);
}

/* ompi_recursivedoubling: a rank beyond the power of two sends to its partner before the rounds
 * and waits for the message that the partner sends after them. */
static uint64_t doubling_steps(const struct lowering *l)
{
  return rounds_steps(l) + LOWER_EXCHANGE_STEPS + 1;
}

static bool doubling_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint32_t pof2 = power_below(l->ranks), rest = l->ranks - pof2;
  struct lower_exchange x = {.self = l->rank, .tag = TAG};
  if (i < LOWER_EXCHANGE_STEPS) {
    x.dst = x.src = l->rank - pof2;
    if (l->rank >= pof2)
      return lower_exchange(&x, i, op);
    return i == 0 && l->rank < rest && lower_recv(op, l->rank + pof2, TAG, 0);
  }
  if (l->rank >= pof2)
    return false;
  i -= LOWER_EXCHANGE_STEPS;
  if (i == rounds_steps(l))
    return l->rank < rest && lower_send(op, l->rank + pof2, TAG, 0);
  const uint64_t mask = UINT64_C(1) << (i / LOWER_EXCHANGE_STEPS);
  x.dst = x.src = l->rank ^ (uint32_t)mask;
  return mask < pof2 && lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

const struct lower_part lower_barrier_recursivedoubling = {doubling_steps, doubling_step};

#include "traces/collectives/shapes/ring.h"

static uint32_t ring_next(const struct lowering *l)
{
  return (l->rank + 1) % l->ranks;
}

static uint32_t ring_previous(const struct lowering *l)
{
  return (l->rank + l->ranks - 1) % l->ranks;
}

/* Bytes of the block that the rank sends in @p round. */
static uint64_t block_bytes(const struct lowering *l, const struct ring *r, uint64_t round)
{
  const uint64_t block = (l->rank + 2 * (uint64_t)l->ranks - r->first - round) % l->ranks;
  return r->bytes(l, (uint32_t)block, r->phase);
}

uint64_t ring_steps(const struct lowering *l)
{
  return (uint64_t)(l->ranks - 1) * LOWER_EXCHANGE_STEPS;
}

bool ring_step(const struct lowering *l, const struct ring *r, uint64_t i, struct op *op)
{
  const uint64_t round = i / LOWER_EXCHANGE_STEPS;
  const struct lower_exchange x = {.self = l->rank,
                                   .dst = ring_next(l),
                                   .src = ring_previous(l),
                                   .tag = r->tag,
                                   .send_bytes = block_bytes(l, r, round),
                                   .recv_bytes = block_bytes(l, r, round + 1)};
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

uint64_t ring_reduce_steps(const struct lowering *l)
{
  return l->ranks == 1 ? 0 : 3 * (uint64_t)(l->ranks - 1) + 1;
}

bool ring_reduce_step(const struct lowering *l, const struct ring *r, uint64_t i, struct op *op)
{
  const uint64_t round = i / 3;
  if (i + 1 == ring_reduce_steps(l))
    return lower_waitall(op);
  if (i % 3 == 0)
    return lower_irecv(op, ring_previous(l), r->tag, block_bytes(l, r, round + 1));
  if (i % 3 == 1)
    return round > 0 && lower_wait(op, (uint32_t)round - 1);
  return lower_send(op, ring_next(l), r->tag, block_bytes(l, r, round));
}

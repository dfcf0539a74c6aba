#include "traces/collectives/shapes/ring.h"

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
  struct lower_exchange x = lower_shift(l, 1, r->tag);
  x.send_bytes = block_bytes(l, r, round);
  x.recv_bytes = block_bytes(l, r, round + 1);
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

uint64_t ring_reduce_steps(const struct lowering *l)
{
  return l->ranks == 1 ? 0 : 3 * (uint64_t)(l->ranks - 1) + 1;
}

bool ring_reduce_step(const struct lowering *l, const struct ring *r, uint64_t i, struct op *op)
{
  const uint64_t round = i / 3;
  const struct lower_exchange x = lower_shift(l, 1, r->tag);
  if (i + 1 == ring_reduce_steps(l))
    return lower_waitall(op);
  if (i % 3 == 0)
    return lower_irecv(op, x.src, x.tag, block_bytes(l, r, round + 1));
  if (i % 3 == 1)
    return round > 0 && lower_wait(op, (uint32_t)round - 1);
  return lower_send(op, x.dst, x.tag, block_bytes(l, r, round));
}

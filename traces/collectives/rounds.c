#include "traces/collectives/rounds.h"

struct lower_exchange rounds_partners(const struct lowering *l, uint64_t round, bool exclusive_or)
{
  struct lower_exchange x = {.self = l->rank};
  if (exclusive_or) {
    x.dst = x.src = l->rank ^ (uint32_t)round;
  } else {
    x.dst = (uint32_t)((l->rank + round) % l->ranks);
    x.src = (uint32_t)((l->rank + l->ranks - round) % l->ranks);
  }
  return x;
}

uint64_t rounds_steps(const struct lowering *l)
{
  return (uint64_t)l->ranks * LOWER_EXCHANGE_STEPS;
}

bool rounds_step(const struct lowering *l, uint64_t i, bool exclusive_or, struct op *op)
{
  struct lower_exchange x = rounds_partners(l, i / LOWER_EXCHANGE_STEPS, exclusive_or);
  x.tag = l->sendcounts == NULL ? LOWER_TAG_ALLTOALL : LOWER_TAG_ALLTOALLV;
  x.send_bytes = lower_bytes_to(l, x.dst);
  x.recv_bytes = lower_bytes_from(l, x.src);
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

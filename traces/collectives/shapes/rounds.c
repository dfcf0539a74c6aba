#include "traces/collectives/shapes/rounds.h"

struct lower_exchange rounds_partners(const struct lowering *l, uint64_t round, int32_t tag)
{
  return l->algorithm->variant == ROUNDS_XOR && lower_power_of_two(l->ranks)
             ? lower_swap(l, l->rank ^ (uint32_t)round, tag)
             : lower_shift(l, round, tag);
}

uint64_t rounds_steps(const struct lowering *l)
{
  return (uint64_t)l->ranks * LOWER_EXCHANGE_STEPS;
}

int32_t rounds_tag(const struct lowering *l)
{
  return l->sendcounts == NULL ? LOWER_TAG_ALLTOALL : LOWER_TAG_ALLTOALLV;
}

bool rounds_step(const struct lowering *l, uint64_t i, struct op *op)
{
  struct lower_exchange x = rounds_partners(l, i / LOWER_EXCHANGE_STEPS, rounds_tag(l));
  x.send_bytes = lower_bytes_to(l, x.dst);
  x.recv_bytes = lower_bytes_from(l, x.src);
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

#include "traces/collectives/shapes/halving.h"

struct halving halving_of(const struct lowering *l, bool odd, enum halving_split split, int32_t tag)
{
  return (struct halving){
      .pow2 = pow2_of(l, odd), .split = split, .count = l->count, .size = l->send_size, .tag = tag};
}

static uint64_t blocks_of(const struct halving *h, uint32_t number, uint32_t level)
{
  const uint32_t low = (UINT32_C(1) << level) - 1;
  const uint64_t whole = (h->count / h->pow2.pof2) * (h->pow2.pof2 >> level);
  return (number & low) == low ? whole + h->count % h->pow2.pof2 : whole;
}

static uint64_t half_of(const struct halving *h, uint32_t number, uint32_t level)
{
  uint64_t n = h->count;
  for (uint32_t k = 0; k < level; k++)
    n = (number >> k & 1) == 0 ? n / 2 : n - n / 2;
  return n;
}

uint64_t halving_part(const struct halving *h, uint32_t number, uint32_t level)
{
  const uint64_t n =
      h->split == HALVING_BLOCKS ? blocks_of(h, number, level) : half_of(h, number, level);
  return n * h->size;
}

bool halving_step(const struct halving *h, bool doubling, uint64_t i, struct op *op)
{
  const uint32_t number = h->pow2.number, round = (uint32_t)(i / LOWER_EXCHANGE_STEPS);
  if (number == POW2_ASIDE)
    return false;
  const uint32_t k = doubling ? halving_rounds(h) - 1 - round : round;
  const uint32_t peer = number ^ (UINT32_C(1) << k), rank = pow2_rank(&h->pow2, peer);
  const struct lower_exchange x = {.self = pow2_rank(&h->pow2, number),
                                   .dst = rank,
                                   .src = rank,
                                   .tag = h->tag,
                                   .send_bytes = halving_part(h, doubling ? number : peer, k + 1),
                                   .recv_bytes = halving_part(h, doubling ? peer : number, k + 1)};
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

bool halving_pair_step(const struct halving *h, const struct lowering *l, uint64_t i, struct op *op)
{
  const bool aside = h->pow2.number == POW2_ASIDE;
  const uint64_t lower = h->count / 2 * h->size, upper = (h->count - h->count / 2) * h->size;
  const struct pow2_message back = {h->tag, upper, true};
  if (!pow2_paired(&h->pow2, l->rank))
    return false;
  if (i == LOWER_EXCHANGE_STEPS)
    return pow2_step(&h->pow2, l, &back, op);
  struct lower_exchange x = lower_swap(l, l->rank ^ 1, h->tag);
  x.send_bytes = aside ? lower : upper;
  x.recv_bytes = aside ? upper : lower;
  return lower_exchange(&x, i, op);
}

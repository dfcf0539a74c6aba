#include "traces/collectives/shapes/rounds.h"

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

int32_t rounds_tag(const struct lowering *l)
{
  return l->sendcounts == NULL ? LOWER_TAG_ALLTOALL : LOWER_TAG_ALLTOALLV;
}

bool rounds_step(const struct lowering *l, uint64_t i, bool exclusive_or, struct op *op)
{
  struct lower_exchange x = rounds_partners(l, i / LOWER_EXCHANGE_STEPS, exclusive_or);
  x.tag = rounds_tag(l);
  x.send_bytes = lower_bytes_to(l, x.dst);
  x.recv_bytes = lower_bytes_from(l, x.src);
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

/* --- light barriers --------------------------------------------------------------------------- */

uint64_t rounds_light_steps(const struct lowering *l)
{
  return 2 * rounds_steps(l);
}

bool rounds_light_step(const struct lowering *l, uint64_t i, bool exclusive_or, struct op *op)
{
  const uint64_t each = 2 * LOWER_EXCHANGE_STEPS, round = i / each, s = i % each;
  if (s < LOWER_EXCHANGE_STEPS)
    return rounds_step(l, round * LOWER_EXCHANGE_STEPS + s, exclusive_or, op);
  if (round == 0 || round + 1 == l->ranks)
    return false;
  const struct lower_exchange next = rounds_partners(l, round + 1, exclusive_or);
  const struct lower_exchange x = {.self = l->rank,
                                   .dst = next.src,
                                   .src = next.dst,
                                   .tag = rounds_tag(l),
                                   .send_bytes = 1,
                                   .recv_bytes = 1};
  return lower_exchange(&x, s - LOWER_EXCHANGE_STEPS, op);
}

/* --- a barrier before each round -------------------------------------------------------------- */

static uint64_t one_steps(const struct lowering *l)
{
  (void)l;
  return LOWER_EXCHANGE_STEPS;
}

/* l->root holds the number of the round: these collectives have no root. */
static bool xor_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return rounds_step(l, (uint64_t)l->root * LOWER_EXCHANGE_STEPS + i, true, op);
}

static bool ring_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return rounds_step(l, (uint64_t)l->root * LOWER_EXCHANGE_STEPS + i, false, op);
}

static const struct lower_algorithm one_xor = {.steps = one_steps, .step = xor_step};
static const struct lower_algorithm one_ring = {.steps = one_steps, .step = ring_step};

const struct lower_algorithm *rounds_barrier_piece(const struct lowering *l, uint32_t k,
                                                   bool exclusive_or, struct lowering *sub)
{
  if (k / 2 >= l->ranks)
    return NULL;
  if (k % 2 == 0)
    return lower_chosen(l, ACTION_BARRIER);
  sub->root = k / 2;
  return exclusive_or ? &one_xor : &one_ring;
}

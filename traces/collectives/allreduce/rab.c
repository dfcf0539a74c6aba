#include "traces/collectives/allreduce/allreduce.h"
#include "traces/collectives/shapes/halving.h"

static struct halving halving_of(const struct lowering *l)
{
  return (struct halving){.pow2 = pow2_of(l, false),
                          .split = HALVING_HALVES,
                          .count = l->count,
                          .size = l->send_size,
                          .tag = LOWER_TAG_ALLREDUCE};
}

static uint64_t steps(const struct lowering *l)
{
  const struct halving h = halving_of(l);
  return HALVING_PAIR_STEPS + 2 * halving_steps(&h) + 1;
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct halving h = halving_of(l);
  const uint64_t n = halving_steps(&h), k = i - HALVING_PAIR_STEPS;
  const struct pow2_message back = {LOWER_TAG_ALLREDUCE, l->send_bytes, false};
  if (i < HALVING_PAIR_STEPS)
    return halving_pair_step(&h, l, i, op);
  if (k == 2 * n)
    return pow2_step(&h.pow2, l, &back, op);
  return halving_step(&h, k >= n, k % n, op);
}

const struct lower_algorithm lower_allreduce_rab = {
    .row = {"rab", "Rabenseifner: recursive halving, then recursive doubling",
            "reduce/reduce-rab.cpp"},
    .steps = steps,
    .step = step};

#include "traces/collectives/allreduce/allreduce.h"
#include "traces/collectives/shapes/halving.h"

static struct halving halving_of(const struct lowering *l)
{
  return (struct halving){.pow2 = pow2_of(l, true),
                          .split = HALVING_BLOCKS,
                          .count = l->count,
                          .size = l->send_size,
                          .tag = LOWER_TAG_ALLREDUCE};
}

static uint64_t steps(const struct lowering *l)
{
  const struct halving h = halving_of(l);
  return 2 * halving_steps(&h) + 2;
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct halving h = halving_of(l);
  const uint64_t n = halving_steps(&h);
  const struct pow2_message m = {LOWER_TAG_ALLREDUCE, l->send_bytes, i == 0};
  if (i == 0 || i == 2 * n + 1)
    return pow2_step(&h.pow2, l, &m, op);
  return halving_step(&h, i > n, (i - 1) % n, op);
}

const struct lower_algorithm lower_allreduce_rab_rdb = {
    .row = {"rab_rdb", "recursive halving, then recursive doubling",
            "allreduce/allreduce-rab-rdb.cpp"},
    .steps = steps,
    .step = step};

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  (void)sub;
  if (k > 0)
    return NULL;
  if (l->count == 0)
    return &lower_nothing;
  return l->count < lower_power_below(l->ranks) ? &lower_allreduce_rdb : &lower_allreduce_rab_rdb;
}

const struct lower_algorithm lower_allreduce_mvapich2_rs = {
    .row = {"mvapich2_rs", "rab_rdb; rdb if there are fewer elements than ranks",
            "allreduce/allreduce-mvapich-rs.cpp"},
    .piece = piece};

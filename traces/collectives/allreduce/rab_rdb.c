#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/halving.h"

enum { RAB_RDB, RAB };

/* In rab, the two ranks of a pair also halve their data before one of them steps aside. */
static struct halving halving(const struct lowering *l)
{
  return l->algorithm->variant == RAB ? halving_of(l, false, HALVING_HALVES, LOWER_TAG_ALLREDUCE)
                                      : halving_of(l, true, HALVING_BLOCKS, LOWER_TAG_ALLREDUCE);
}

static uint64_t pair_steps(const struct lowering *l)
{
  return l->algorithm->variant == RAB ? HALVING_PAIR_STEPS : 1;
}

static uint64_t steps(const struct lowering *l)
{
  const struct halving h = halving(l);
  return pair_steps(l) + 2 * halving_steps(&h) + 1;
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct halving h = halving(l);
  const uint64_t n = halving_steps(&h), k = i - pair_steps(l);
  const struct pow2_message m = {LOWER_TAG_ALLREDUCE, l->send_bytes, i == 0};
  if (l->algorithm->variant == RAB && i < HALVING_PAIR_STEPS)
    return halving_pair_step(&h, l, i, op);
  if (i == 0 || k == 2 * n)
    return pow2_step(&h.pow2, l, &m, op);
  return halving_step(&h, k >= n, k % n, op);
}

const struct lower_algorithm lower_allreduce_rab = {
    .row = {"rab", "Rabenseifner: recursive halving, then recursive doubling",
            "reduce/reduce-rab.cpp"},
    .steps = steps,
    .step = step,
    .variant = RAB};

const struct lower_algorithm lower_allreduce_rab_rdb = {
    .row = {"rab_rdb", "recursive halving, then recursive doubling",
            "allreduce/allreduce-rab-rdb.cpp"},
    .steps = steps,
    .step = step};

static const struct lower_algorithm *pick(const struct lowering *l)
{
  if (l->count == 0)
    return &lower_nothing;
  return l->count < lower_power_below(l->ranks) ? &lower_allreduce_rdb : &lower_allreduce_rab_rdb;
}

const struct lower_algorithm lower_allreduce_mvapich2_rs = {
    .row = {"mvapich2_rs", "rab_rdb; rdb if there are fewer elements than ranks",
            "allreduce/allreduce-mvapich-rs.cpp"},
    .pick = pick};

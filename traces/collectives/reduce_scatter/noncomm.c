/* SimGrid 3.32: reduce_scatter__mpich_noncomm in
 * src/smpi/colls/reduce_scatter/reduce_scatter-mpich.cpp.  SMPI aborts unless the number of ranks
 * is a power of two and all parts are equal.  In the other cases MPICH uses recursive doubling, and
 * so do we. */
#include "traces/collectives/reduce_scatter/reduce_scatter.h"

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t round = i / LOWER_EXCHANGE_STEPS;
  const uint32_t peer = l->rank ^ (UINT32_C(1) << round);
  struct lower_exchange x = lower_swap(l, peer, LOWER_TAG_REDUCESCATTER);
  x.send_bytes = x.recv_bytes = lower_bytes_from(l, 0) * (l->ranks >> (round + 1));
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

static const struct lower_algorithm halving = {.steps = lower_rounds_steps, .step = step};

static const struct lower_algorithm *pick(const struct lowering *l)
{
  return lower_power_of_two(l->ranks) && reduce_scatter_equal(l) ? &halving
                                                                 : &lower_reduce_scatter_mpich_rdb;
}

const struct lower_algorithm lower_reduce_scatter_mpich_noncomm = {
    .row = {"mpich_noncomm", "equal parts on 2^n ranks: recursive halving; else mpich_rdb",
            "reduce_scatter/reduce_scatter-mpich.cpp"},
    .pick = pick};

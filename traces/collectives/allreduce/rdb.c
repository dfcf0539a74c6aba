/* SimGrid 3.32: src/smpi/colls/allreduce/allreduce-rdb.cpp.  If the number of ranks is no power of
 * two, some ranks first send their data to a neighbour. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/pow2.h"

static uint64_t steps(const struct lowering *l)
{
  return lower_rounds_steps(l) + 2;
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct pow2 p = pow2_of(l, true);
  const struct pow2_message m = {LOWER_TAG_ALLREDUCE, l->send_bytes, i == 0};
  if (i == 0 || i + 1 == steps(l))
    return pow2_step(&p, l, &m, op);
  const uint64_t mask = UINT64_C(1) << ((i - 1) / LOWER_EXCHANGE_STEPS);
  if (p.number == POW2_ASIDE || mask >= p.pof2)
    return false;
  const uint32_t peer = pow2_rank(&p, p.number ^ (uint32_t)mask);
  struct lower_exchange x = lower_swap(l, peer, LOWER_TAG_ALLREDUCE);
  x.send_bytes = x.recv_bytes = l->send_bytes;
  return lower_exchange(&x, (i - 1) % LOWER_EXCHANGE_STEPS, op);
}

const struct lower_algorithm lower_allreduce_rdb = {
    .row = {"rdb", "recursive doubling", "allreduce/allreduce-rdb.cpp"},
    .steps = steps,
    .step = step};

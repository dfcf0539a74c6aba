/* SimGrid 3.32: ompi_recursivedoubling in src/smpi/colls/barrier/barrier-ompi.cpp.  The same
 * algorithm is in barrier-mvapich2-pair.cpp. */
#include "traces/collectives/algorithms.h"

static const int32_t TAG = LOWER_TAG_BARRIER;

/* ompi_recursivedoubling: a rank beyond the power of two sends to its partner before the rounds,
 * and waits for a message from the partner after them. */
static uint64_t doubling_steps(const struct lowering *l)
{
  return lower_rounds_steps(l) + LOWER_EXCHANGE_STEPS + 1;
}

static bool doubling_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint32_t pof2 = lower_power_below(l->ranks), rest = l->ranks - pof2;
  struct lower_exchange x = {.self = l->rank, .tag = TAG};
  if (i < LOWER_EXCHANGE_STEPS) {
    x.dst = x.src = l->rank - pof2;
    if (l->rank >= pof2)
      return lower_exchange(&x, i, op);
    return i == 0 && l->rank < rest && lower_recv(op, l->rank + pof2, TAG, 0);
  }
  if (l->rank >= pof2)
    return false;
  i -= LOWER_EXCHANGE_STEPS;
  if (i == lower_rounds_steps(l))
    return l->rank < rest && lower_send(op, l->rank + pof2, TAG, 0);
  const uint64_t mask = UINT64_C(1) << (i / LOWER_EXCHANGE_STEPS);
  x.dst = x.src = l->rank ^ (uint32_t)mask;
  return mask < pof2 && lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

const struct lower_algorithm lower_barrier_ompi_recursivedoubling = {
    .row = {"ompi_recursivedoubling", "recursive doubling", "barrier/barrier-ompi.cpp"},
    .steps = doubling_steps,
    .step = doubling_step};

const struct lower_algorithm lower_barrier_mvapich2_pair = {
    .row = {"mvapich2_pair", "recursive doubling", "barrier/barrier-mvapich2-pair.cpp"},
    .steps = doubling_steps,
    .step = doubling_step};

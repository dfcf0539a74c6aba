/* SimGrid 3.32: ompi_tree in src/smpi/colls/barrier/barrier-ompi.cpp. */
#include "traces/collectives/algorithms.h"

static const int32_t TAG = LOWER_TAG_BARRIER;

static uint64_t steps(const struct lowering *l)
{
  return 2 * (uint64_t)lower_rounds(l->ranks);
}

/* Up a binomial tree, the nearest ranks first, and down again.  In a round, the ranks of a pair
 * differ in the round's bit and have no lower bit set. */
static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t n = lower_rounds(l->ranks), bit = UINT64_C(1) << (i < n ? i : 2 * n - 1 - i);
  const uint64_t partner = l->rank ^ bit;
  if ((l->rank & (bit - 1)) != 0 || partner >= l->ranks)
    return false;
  const bool sends = (partner < l->rank) == (i < n);
  return sends ? lower_send(op, (uint32_t)partner, TAG, 0)
               : lower_recv(op, (uint32_t)partner, TAG, 0);
}

const struct lower_algorithm lower_barrier_ompi_tree = {
    .row = {"ompi_tree", "up a binomial tree and down again", "barrier/barrier-ompi.cpp"},
    .steps = steps,
    .step = step};

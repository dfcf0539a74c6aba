/* SimGrid 3.32: ompi_doublering in src/smpi/colls/barrier/barrier-ompi.cpp. */
#include "traces/collectives/algorithms.h"

static const int32_t TAG = LOWER_TAG_BARRIER;

static uint64_t steps(const struct lowering *l)
{
  return l->ranks == 1 ? 0 : 4;
}

/* A message moves around the ring twice.  Rank 0 starts; the others first wait for the message. */
static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  if ((i % 2 == 0) == (l->rank == 0))
    return lower_send(op, (l->rank + 1) % l->ranks, TAG, 0);
  return lower_recv(op, (l->rank + l->ranks - 1) % l->ranks, TAG, 0);
}

const struct lower_algorithm lower_barrier_ompi_doublering = {
    .row = {"ompi_doublering", "a message around the ranks, twice", "barrier/barrier-ompi.cpp"},
    .steps = steps,
    .step = step};

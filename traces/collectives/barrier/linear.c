/* ompi_basic_linear in src/smpi/colls/barrier/barrier-ompi.cpp of SimGrid 3.32. */
#include "traces/collectives/algorithms.h"

static const int32_t TAG = LOWER_TAG_BARRIER;

/* ompi_basic_linear: rank 0 receives from all others, then releases them. */
static uint64_t steps(const struct lowering *l)
{
  return l->rank == 0 ? 2 * (uint64_t)l->ranks : 2;
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  if (l->rank != 0)
    return i == 0 ? lower_send(op, 0, TAG, 0) : lower_recv(op, 0, TAG, 0);
  const uint64_t at = i % l->ranks;
  if (at == l->ranks - 1)
    return l->ranks > 1 && lower_waitall(op);
  const uint32_t peer = (uint32_t)at + 1;
  return i < l->ranks ? lower_irecv(op, peer, TAG, 0) : lower_isend(op, peer, TAG, 0);
}

const struct lower_algorithm lower_barrier_ompi_basic_linear = {
    .row = {"ompi_basic_linear", "rank 0 collects, then releases", "barrier/barrier-ompi.cpp"},
    .steps = steps,
    .step = step};

const struct lower_algorithm lower_barrier_default = {
    .row = {"default", "ompi_basic_linear", "smpi_default_selector.cpp"},
    .pieces = LOWER_PIECES(&lower_barrier_ompi_basic_linear)};

/* colls::ireduce in src/smpi/colls/smpi_nbc_impl.cpp of SimGrid 3.32. */
#include "traces/collectives/reduce/reduce.h"

static uint64_t steps(const struct lowering *l)
{
  return l->rank == l->root ? (uint64_t)l->ranks + 1 : 2;
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  if (i + 1 == steps(l))
    return lower_waitall(op);
  if (l->rank != l->root)
    return lower_isend(op, l->root, LOWER_TAG_REDUCE, l->send_bytes);
  return i != l->root && lower_irecv(op, (uint32_t)i, LOWER_TAG_REDUCE, l->send_bytes);
}

const struct lower_algorithm lower_reduce_default = {
    .row = {"default", "linear: all send to the root at once", "smpi_nbc_impl.cpp"},
    .steps = steps,
    .step = step};

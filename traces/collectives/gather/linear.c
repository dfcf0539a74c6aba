/* colls::igather and igatherv in src/smpi/colls/smpi_nbc_impl.cpp of SimGrid 3.32. */
#include "traces/collectives/gather/gather.h"

static uint64_t steps(const struct lowering *l)
{
  return l->rank == l->root ? (uint64_t)l->ranks + 1 : 2;
}

/* All other ranks send to the root. */
static bool any(const struct lowering *l, uint64_t i, int32_t tag, struct op *op)
{
  if (i + 1 == steps(l))
    return lower_waitall(op);
  if (l->rank != l->root)
    return lower_isend(op, l->root, tag, l->send_bytes);
  return i != l->root && lower_irecv(op, (uint32_t)i, tag, lower_bytes_from(l, (uint32_t)i));
}

static bool gather_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return any(l, i, LOWER_TAG_GATHER, op);
}

static bool gatherv_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return any(l, i, LOWER_TAG_GATHERV, op);
}

const struct lower_algorithm lower_gather_default = {
    .row = {"default", "linear: all send to the root at once", "smpi_nbc_impl.cpp"},
    .steps = steps,
    .step = gather_step};

const struct lower_algorithm lower_gatherv_default = {
    .row = {"default", "linear: all send to the root at once", "smpi_nbc_impl.cpp"},
    .steps = steps,
    .step = gatherv_step};

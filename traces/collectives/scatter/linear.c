/* colls::iscatter and iscatterv in src/smpi/colls/smpi_nbc_impl.cpp of SimGrid 3.32. */
#include "traces/collectives/scatter/scatter.h"

static uint64_t steps(const struct lowering *l)
{
  return l->rank == l->root ? (uint64_t)l->ranks + 1 : 2;
}

/* The root sends to all others at once. */
static bool any(const struct lowering *l, uint64_t i, int32_t tag, struct op *op)
{
  if (i + 1 == steps(l))
    return lower_waitall(op);
  if (l->rank != l->root)
    return lower_irecv(op, l->root, tag, l->recv_bytes);
  return i != l->root && lower_isend(op, (uint32_t)i, tag, lower_bytes_to(l, (uint32_t)i));
}

static bool scatter_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return any(l, i, LOWER_TAG_SCATTER, op);
}

static bool scatterv_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return any(l, i, LOWER_TAG_SCATTERV, op);
}

const struct lower_algorithm lower_scatter_default = {
    .row = {"default", "linear: the root sends to all at once", "smpi_nbc_impl.cpp"},
    .steps = steps,
    .step = scatter_step};

const struct lower_algorithm lower_scatterv_default = {
    .row = {"default", "linear: the root sends to all at once", "smpi_nbc_impl.cpp"},
    .steps = steps,
    .step = scatterv_step};

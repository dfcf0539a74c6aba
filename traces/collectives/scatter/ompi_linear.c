#include "traces/collectives/algorithms.h"

static bool basic_step(const struct lowering *l, uint64_t i, struct op *op)
{
  if (l->rank != l->root)
    return lower_recv(op, l->root, LOWER_TAG_SCATTER, l->recv_bytes);
  return i != l->root && lower_send(op, (uint32_t)i, LOWER_TAG_SCATTER, l->send_bytes);
}

const struct lower_algorithm lower_scatter_ompi_basic_linear = {
    .row = {"ompi_basic_linear", "the root sends to one rank after another",
            "scatter/scatter-ompi.cpp"},
    .steps = lower_rooted_steps,
    .step = basic_step};

static uint64_t nb_steps(const struct lowering *l)
{
  return l->rank == l->root ? (uint64_t)l->ranks + 1 : 1;
}

static bool nb_step(const struct lowering *l, uint64_t i, struct op *op)
{
  if (l->rank != l->root)
    return lower_recv(op, l->root, LOWER_TAG_SCATTER, l->recv_bytes);
  if (i == l->ranks)
    return lower_waitall(op);
  return i != l->root && lower_isend(op, (uint32_t)i, LOWER_TAG_SCATTER, l->send_bytes);
}

const struct lower_algorithm lower_scatter_ompi_linear_nb = {
    .row = {"ompi_linear_nb", "the root sends to all at once; blocking receives",
            "scatter/scatter-ompi.cpp"},
    .steps = nb_steps,
    .step = nb_step};

/* SimGrid 3.32: colls::ialltoallv in src/smpi/colls/smpi_nbc_impl.cpp, and
 * src/smpi/colls/alltoallv/alltoallv-ompi-basic-linear.cpp. */
#include "traces/collectives/alltoallv/alltoallv.h"

static uint64_t steps(const struct lowering *l)
{
  return l->ranks == 1 ? 0 : 2 * (uint64_t)l->ranks + 1;
}

/* Receives, then sends, both in rank order. */
static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint32_t peer = (uint32_t)(i % l->ranks);
  if (i == 2 * (uint64_t)l->ranks)
    return lower_waitall(op);
  if (peer == l->rank)
    return false;
  return i < l->ranks ? lower_irecv(op, peer, LOWER_TAG_ALLTOALLV,
                                    (uint64_t)l->recvcounts[peer] * l->recv_size)
                      : lower_isend(op, peer, LOWER_TAG_ALLTOALLV,
                                    (uint64_t)l->sendcounts[peer] * l->send_size);
}

const struct lower_algorithm lower_alltoallv_default = {
    .row = {"default", "linear: all sends and receives posted at once", "smpi_nbc_impl.cpp"},
    .steps = steps,
    .step = step};

const struct lower_algorithm lower_alltoallv_ompi_basic_linear = {
    .row = {"ompi_basic_linear", "all sends and receives posted at once",
            "alltoallv/alltoallv-ompi-basic-linear.cpp"},
    .steps = steps,
    .step = step};

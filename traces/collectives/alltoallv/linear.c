#include "traces/collectives/alltoallv/alltoallv.h"
#include "traces/collectives/nonblocking/nonblocking.h"

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  (void)sub;
  return l->ranks == 1 ? NULL : lower_waited(ACTION_ALLTOALLV, k);
}

const struct lower_algorithm lower_alltoallv_default = {
    .row = {"default", "linear: all sends and receives posted at once", "smpi_nbc_impl.cpp"},
    .piece = piece};

const struct lower_algorithm lower_alltoallv_ompi_basic_linear = {
    .row = {"ompi_basic_linear", "all sends and receives posted at once",
            "alltoallv/alltoallv-ompi-basic-linear.cpp"},
    .piece = piece};

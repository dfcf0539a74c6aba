#include "traces/collectives/alltoall/alltoall.h"
#include "traces/collectives/nonblocking/nonblocking.h"

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  (void)sub;
  return l->ranks == 1 ? NULL : lower_waited(ACTION_ALLTOALL, k);
}

const struct lower_algorithm lower_alltoall_basic_linear = {
    .row = {"basic_linear", "all sends and receives posted at once",
            "alltoall/alltoall-basic-linear.cpp"},
    .piece = piece};

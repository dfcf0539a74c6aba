#include "traces/collectives/allgatherv/allgatherv.h"
#include "traces/collectives/nonblocking/nonblocking.h"

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  (void)l;
  (void)sub;
  return lower_waited(ACTION_ALLGATHERV, k);
}

const struct lower_algorithm lower_allgatherv_default = {
    .row = {"default", "linear: all sends and receives posted at once", "smpi_nbc_impl.cpp"},
    .piece = piece};

#include "traces/collectives/nonblocking/nonblocking.h"
#include "traces/collectives/reduce/reduce.h"

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  (void)l;
  (void)sub;
  return lower_waited(ACTION_REDUCE, k);
}

const struct lower_algorithm lower_reduce_default = {
    .row = {"default", "linear: all send to the root at once", "smpi_nbc_impl.cpp"},
    .piece = piece};

#include "traces/collectives/gather/gather.h"
#include "traces/collectives/nonblocking/nonblocking.h"

static const struct lower_algorithm *gather(const struct lowering *l, uint32_t k,
                                            struct lowering *sub)
{
  (void)l;
  (void)sub;
  return lower_waited(ACTION_GATHER, k);
}

static const struct lower_algorithm *gatherv(const struct lowering *l, uint32_t k,
                                             struct lowering *sub)
{
  (void)l;
  (void)sub;
  return lower_waited(ACTION_GATHERV, k);
}

const struct lower_algorithm lower_gather_default = {
    .row = {"default", "linear: all send to the root at once", "smpi_nbc_impl.cpp"},
    .piece = gather};

const struct lower_algorithm lower_gatherv_default = {
    .row = {"default", "linear: all send to the root at once", "smpi_nbc_impl.cpp"},
    .piece = gatherv};

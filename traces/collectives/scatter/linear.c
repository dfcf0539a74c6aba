#include "traces/collectives/nonblocking/nonblocking.h"
#include "traces/collectives/scatter/scatter.h"

static const struct lower_algorithm *scatter(const struct lowering *l, uint32_t k,
                                             struct lowering *sub)
{
  (void)l;
  (void)sub;
  return lower_waited(ACTION_SCATTER, k);
}

static const struct lower_algorithm *scatterv(const struct lowering *l, uint32_t k,
                                              struct lowering *sub)
{
  (void)l;
  (void)sub;
  return lower_waited(ACTION_SCATTERV, k);
}

const struct lower_algorithm lower_scatter_default = {
    .row = {"default", "linear: the root sends to all at once", "smpi_nbc_impl.cpp"},
    .piece = scatter};

const struct lower_algorithm lower_scatterv_default = {
    .row = {"default", "linear: the root sends to all at once", "smpi_nbc_impl.cpp"},
    .piece = scatterv};

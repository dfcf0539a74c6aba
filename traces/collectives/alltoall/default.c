/* SimGrid 3.32: alltoall__default in src/smpi/colls/smpi_default_selector.cpp. */
#include "traces/collectives/alltoall/alltoall.h"
#include "traces/collectives/selectors/libraries.h"

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  (void)l;
  (void)sub;
  return k == 0 ? &lower_alltoall_ompi : NULL;
}

const struct lower_algorithm lower_alltoall_default = {
    .row = {"default", "as Open MPI chooses: bruck, basic_linear or pair by size and ranks",
            "smpi_default_selector.cpp"},
    .piece = piece};

/* colls::iallgather in src/smpi/colls/smpi_nbc_impl.cpp of SimGrid 3.32. */
#include "traces/collectives/allgather/allgather.h"
#include "traces/collectives/posted.h"

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  return posted_step(l, i, LOWER_TAG_ALLGATHER, op);
}

const struct lower_algorithm lower_allgather_default = {
    .row = {"default", "linear: all sends and receives posted at once", "smpi_nbc_impl.cpp"},
    .steps = posted_steps,
    .step = step};

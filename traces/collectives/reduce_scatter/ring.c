/* SimGrid 3.32: reduce_scatter__ompi_ring in src/smpi/colls/reduce_scatter/reduce_scatter-ompi.cpp.
 */
#include "traces/collectives/shapes/ring.h"

#include "traces/collectives/algorithms.h"

static uint64_t bytes(const struct lowering *l, uint32_t block, uint64_t phase)
{
  (void)phase;
  return lower_bytes_from(l, block);
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct ring r = {.tag = LOWER_TAG_REDUCESCATTER, .first = 1, .bytes = bytes};
  return ring_reduce_step(l, &r, i, op);
}

const struct lower_algorithm lower_reduce_scatter_ompi_ring = {
    .row = {"ompi_ring", "a ring: each part moves from rank to rank and is reduced",
            "reduce_scatter/reduce_scatter-ompi.cpp"},
    .steps = ring_reduce_steps,
    .step = step};

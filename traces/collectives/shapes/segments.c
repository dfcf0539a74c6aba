#include "traces/collectives/shapes/segments.h"

/* SimGrid 3.32: COLL_TUNED_COMPUTED_SEGCOUNT of src/smpi/colls/coll_tuned_topo.hpp. */
uint64_t segments_elements(uint64_t limit, uint64_t size, uint64_t count)
{
  if (limit < size || limit >= size * count)
    return count;
  const uint64_t n = limit / size, residual = limit - n * size;
  return residual > size / 2 ? n + 1 : n;
}

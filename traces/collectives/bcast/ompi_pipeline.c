#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/pipeline.h"
#include "traces/collectives/shapes/segments.h"
#include "traces/collectives/shapes/tree.h"

/* Bytes of a segment, by Open MPI's fit of the numbers of ranks for which each size is fastest. */
static uint64_t segment_size(const struct lowering *l)
{
  const double bytes = (double)l->send_bytes, ranks = l->ranks;
  if (ranks < 1.6134e-6 * bytes + 2.1102)
    return 131072;
  if (ranks < 2.3679e-6 * bytes + 1.1787)
    return 65536;
  return ranks < 3.2118e-6 * bytes + 8.7936 ? 16384 : 131072;
}

static struct pipeline chain(const struct lowering *l)
{
  const uint64_t rel = tree_relative(l),
                 unit = segments_elements(segment_size(l), l->send_size, l->count);
  struct pipeline p = {.first = rel == 0, .ahead = 2, .waits_sends = true, .tag = LOWER_TAG_BCAST};
  if (unit == 0)
    return p;
  p.from = tree_absolute(l, rel + l->ranks - 1);
  if (rel + 1 < l->ranks)
    p.to[p.targets++] = tree_absolute(l, rel + 1);
  p.segments = segments_number(l->count, unit);
  p.bytes = unit * l->send_size;
  p.last_bytes = l->send_bytes - (p.segments - 1) * p.bytes;
  return p;
}

static uint64_t steps(const struct lowering *l)
{
  const struct pipeline p = chain(l);
  return pipeline_steps(&p);
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct pipeline p = chain(l);
  return pipeline_step(&p, i, op);
}

const struct lower_algorithm lower_bcast_ompi_pipeline = {
    .row = {"ompi_pipeline", "segments of 16 to 128 KiB along a chain from the root",
            "bcast/bcast-ompi-pipeline.cpp"},
    .steps = steps,
    .step = step};

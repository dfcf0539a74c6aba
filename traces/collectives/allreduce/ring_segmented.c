#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/ring.h"
#include "traces/collectives/shapes/segments.h"

enum { SEGMENT_BYTES = 1 << 20 };

/* Elements of part @p i if @p count elements are divided into @p n parts; the first parts have one
 * more. */
static uint64_t share(uint64_t count, uint64_t n, uint64_t i)
{
  return count / n + (i < count % n);
}

/* Number of elements that all ranks together send in one phase. */
static uint64_t at_once(const struct lowering *l)
{
  return l->ranks * segments_elements(SEGMENT_BYTES, l->send_size, l->count);
}

static uint64_t phases(const struct lowering *l)
{
  const uint64_t each = at_once(l), rest = l->count % each;
  return l->count / each + (rest >= l->ranks && rest > each / 2);
}

static uint64_t part_bytes(const struct lowering *l, uint32_t block, uint64_t phase)
{
  return share(share(l->count, l->ranks, block), phases(l), phase) * l->send_size;
}

static uint64_t block_bytes(const struct lowering *l, uint32_t block, uint64_t phase)
{
  (void)phase;
  return share(l->count, l->ranks, block) * l->send_size;
}

static uint64_t steps(const struct lowering *l)
{
  return phases(l) * ring_reduce_steps(l) + ring_steps(l);
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t n = ring_reduce_steps(l), reduced = phases(l) * n;
  struct ring r = {.tag = LOWER_TAG_ALLREDUCE, .bytes = part_bytes};
  if (i < reduced) {
    r.phase = i / n;
    return ring_reduce_step(l, &r, i % n, op);
  }
  /* The reduction leaves each rank with the block after its own. */
  r.first = l->ranks - 1;
  r.bytes = block_bytes;
  return ring_step(l, &r, i - reduced, op);
}

static const struct lower_algorithm segmented = {.steps = steps, .step = step};

static const struct lower_algorithm *pick(const struct lowering *l)
{
  if (l->ranks == 1)
    return &lower_nothing;
  return l->count == 0 || l->count < at_once(l) ? &lower_allreduce_lr : &segmented;
}

const struct lower_algorithm lower_allreduce_ompi_ring_segmented = {
    .row = {"ompi_ring_segmented",
            "rings, in segments of 1 MiB; lr if a rank's share fits in a segment",
            "allreduce/allreduce-ompi-ring-segmented.cpp"},
    .pick = pick};

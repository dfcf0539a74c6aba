/* SimGrid 3.32: src/smpi/colls/bcast/bcast-flattree-pipeline.cpp.  SMPI loses the elements after
 * the last full segment; here they are a shorter segment. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/segments.h"

static uint64_t each(const struct lowering *l)
{
  return segments_short(l->send_size);
}

static uint64_t bytes_of(const struct lowering *l, uint64_t segment)
{
  return segments_at(l->count, each(l), segment) * l->send_size;
}

static uint64_t steps(const struct lowering *l)
{
  const uint64_t n = segments_number(l->count, each(l));
  return l->rank == l->root ? l->ranks * n : n + 1;
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t n = segments_number(l->count, each(l));
  if (l->rank == l->root)
    return i / n != l->root &&
           lower_send(op, (uint32_t)(i / n), LOWER_TAG_BCAST, bytes_of(l, i % n));
  return i < n ? lower_irecv(op, l->root, LOWER_TAG_BCAST, bytes_of(l, i)) : lower_waitall(op);
}

static const struct lower_algorithm pipeline = {.steps = steps, .step = step};

static const struct lower_algorithm *pick(const struct lowering *l)
{
  return l->count < each(l) ? &lower_bcast_flattree : &pipeline;
}

const struct lower_algorithm lower_bcast_flattree_pipeline = {
    .row = {"flattree_pipeline", "the root sends to one rank after another, in segments",
            "bcast/bcast-flattree-pipeline.cpp"},
    .pick = pick};

#include "traces/collectives/reduce/reduce.h"
#include "traces/collectives/segments.h"

static uint64_t segment_of(const struct lowering *l)
{
  return segments_short(l->send_size);
}

/* Data pass from the rank below the root downwards, around to the root. */
static uint32_t above(const struct lowering *l)
{
  return (l->rank + 1) % l->ranks;
}

static uint32_t below(const struct lowering *l)
{
  return (l->rank + l->ranks - 1) % l->ranks;
}

static bool first(const struct lowering *l)
{
  return above(l) == l->root;
}

static uint64_t whole_steps(const struct lowering *l)
{
  return l->ranks > 1 ? 2 : 0;
}

static bool whole_step(const struct lowering *l, uint64_t i, struct op *op)
{
  if (i == 0)
    return !first(l) && lower_recv(op, above(l), LOWER_TAG_REDUCE, l->send_bytes);
  return l->rank != l->root && lower_send(op, below(l), LOWER_TAG_REDUCE, l->send_bytes);
}

static const struct lower_algorithm whole = {.steps = whole_steps, .step = whole_step};

/* Of n segments: n receives, then a wait and a send for each, then a wait for all. */
static uint64_t pipeline_steps(const struct lowering *l)
{
  return l->ranks > 1 ? 3 * (l->count / segment_of(l)) + 1 : 0;
}

static bool pipeline_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t n = l->count / segment_of(l), bytes = segment_of(l) * l->send_size;
  if (i < n)
    return !first(l) && lower_irecv(op, above(l), LOWER_TAG_REDUCE, bytes);
  if (i == 3 * n)
    return lower_waitall(op);
  if ((i - n) % 2 == 0)
    return !first(l) && lower_wait(op, (uint32_t)((i - n) / 2));
  return l->rank != l->root && lower_isend(op, below(l), LOWER_TAG_REDUCE, bytes);
}

static const struct lower_algorithm pipeline = {.steps = pipeline_steps, .step = pipeline_step};

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  const uint64_t segment = segment_of(l), rest = l->count % segment;
  if (k == 0)
    return l->count <= segment ? &whole : &pipeline;
  if (k > 1 || rest == 0 || l->count <= segment)
    return NULL;
  sub->count = rest;
  sub->send_bytes = rest * l->send_size;
  return &lower_reduce_default;
}

const struct lower_algorithm lower_reduce_ntsl = {
    .row = {"NTSL", "a chain through all ranks, in segments of 8 KiB; the rest linear",
            "reduce/reduce-NTSL.cpp"},
    .piece = piece};

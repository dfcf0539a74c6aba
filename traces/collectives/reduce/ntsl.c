#include "traces/collectives/algorithms.h"
#include "traces/collectives/bcast/whole.h"
#include "traces/collectives/shapes/segments.h"

/* The rank from which this rank receives.  Data move from the rank before the root through falling
 * rank numbers, modulo the ranks, to the root. */
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

static struct pipeline chain(const struct lowering *l)
{
  struct pipeline p = {.first = first(l), .from = above(l), .posts_sends = true};
  if (l->rank != l->root)
    pipeline_target(&p, below(l), l->ranks);
  whole_segments(l, &p);
  p.tag = LOWER_TAG_REDUCE;
  return p;
}

static uint64_t chain_steps(const struct lowering *l)
{
  const struct pipeline p = chain(l);
  return l->ranks > 1 ? pipeline_steps(&p) : 0;
}

static bool chain_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct pipeline p = chain(l);
  return pipeline_step(&p, i, op);
}

static const struct lower_algorithm segments = {.steps = chain_steps, .step = chain_step};

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  const uint64_t rest = l->count % segments_short(l->send_size);
  if (k == 0)
    return whole_fits(l) ? &whole : &segments;
  if (k > 1 || rest == 0 || whole_fits(l))
    return NULL;
  sub->count = rest;
  sub->send_bytes = rest * l->send_size;
  return &lower_reduce_default;
}

const struct lower_algorithm lower_reduce_ntsl = {
    .row = {"NTSL", "a chain through all ranks, in segments of 8 KiB; the rest linear",
            "reduce/reduce-NTSL.cpp"},
    .piece = piece};

/* SimGrid 3.32: bcast-NTSL.cpp, bcast-NTSL-Isend.cpp and bcast-NTSB.cpp in src/smpi/colls/bcast.
 * The first two are the same. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/bcast/whole.h"

/* A tree in which rank r has `fanout` children, from fanout * r + 1 on; a chain if fanout, the
 * variant of the algorithm, is 1. */
static struct pipeline tree(const struct lowering *l)
{
  const uint32_t fanout = (uint32_t)l->algorithm->variant;
  struct pipeline p = {.first = l->rank == 0, .posts_sends = !whole_fits(l)};
  p.from = l->rank == 0 ? 0 : (l->rank - 1) / fanout;
  for (uint32_t i = 1; i <= fanout; i++)
    pipeline_target(&p, (uint64_t)l->rank * fanout + i, l->ranks);
  whole_segments(l, &p);
  return p;
}

static uint64_t steps(const struct lowering *l)
{
  const struct pipeline p = tree(l);
  return pipeline_steps(&p);
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct pipeline p = tree(l);
  return pipeline_step(&p, i, op);
}

static const struct lower_algorithm CHAIN = {.steps = steps, .step = step, .variant = 1};
static const struct lower_algorithm BINARY = {.steps = steps, .step = step, .variant = 2};

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  if (k == 0)
    return &lower_bcast_to_first;
  if (k == 1)
    return l->algorithm->part;
  return k == 2 ? whole_rest(l, sub) : NULL;
}

const struct lower_algorithm lower_bcast_ntsl = {
    .row = {"NTSL", "to rank 0, then segments along a chain", "bcast/bcast-NTSL.cpp"},
    .piece = piece,
    .part = &CHAIN};

const struct lower_algorithm lower_bcast_ntsl_isend = {
    .row = {"NTSL_Isend", "as NTSL", "bcast/bcast-NTSL-Isend.cpp"}, .piece = piece, .part = &CHAIN};

const struct lower_algorithm lower_bcast_ntsb = {
    .row = {"NTSB", "to rank 0, then segments down a binary tree", "bcast/bcast-NTSB.cpp"},
    .piece = piece,
    .part = &BINARY};

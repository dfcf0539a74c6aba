/* SimGrid 3.32: src/smpi/colls/bcast/bcast-SMP-binomial.cpp.  Rank numbers decide who is on which
 * node: as many consecutive ones as a host has ranks, which is right only if the ranks are
 * blocked. */
#include "traces/collectives/bcast/bcast.h"
#include "traces/collectives/selectors/libraries.h"

/* The binomial tree over ranks base, base + stride, ..: count of them, this one being number me. */
struct line {
  uint32_t me, count, base, stride;
};

static uint64_t line_steps(const struct line *n)
{
  return (uint64_t)lower_rounds(n->count) + 1;
}

static bool line_step(const struct lowering *l, const struct line *n, uint64_t i, struct op *op)
{
  struct lowering of = *l;
  of.rank = n->me;
  of.ranks = n->count;
  of.root = 0;
  if (!lower_bcast_binomial_tree.step(&of, i, op))
    return false;
  op->peer = n->base + op->peer * n->stride;
  return true;
}

static struct line leaders_of(const struct lowering *l)
{
  const uint32_t cores = lower_node_size(l, 0);
  return (struct line){.me = l->rank / cores, .count = l->ranks / cores, .stride = cores};
}

/* SMPI's ranks also send to the next node where the tree of theirs has no rank left, and nobody
 * receives that. */
static struct line node_of(const struct lowering *l)
{
  const uint32_t cores = lower_node_size(l, 0), me = l->rank % cores;
  return (struct line){.me = me, .count = cores, .base = l->rank - me, .stride = 1};
}

static uint64_t steps(const struct lowering *l)
{
  const struct line leaders = leaders_of(l), node = node_of(l);
  return line_steps(&leaders) + line_steps(&node);
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct line leaders = leaders_of(l), node = node_of(l);
  if (i < line_steps(&leaders))
    return node.me == 0 && line_step(l, &leaders, i, op);
  return line_step(l, &node, i - line_steps(&leaders), op);
}

static const struct lower_algorithm binomial = {.steps = steps, .step = step};

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  if (k == 0)
    return lower_prepared(l);
  if (!lower_uniform(l))
    return k == 1 ? &lower_bcast_mpich : NULL;
  if (k == 1)
    return &lower_bcast_to_first;
  sub->root = 0;
  return k == 2 ? &binomial : NULL;
}

const struct lower_algorithm lower_bcast_smp_binomial = {
    .row = {"SMP_binomial", "to rank 0, then binomial trees between nodes and within each",
            "bcast/bcast-SMP-binomial.cpp"},
    .piece = piece};

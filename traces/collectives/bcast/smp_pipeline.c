/* SimGrid 3.32: bcast-SMP-binary.cpp and bcast-SMP-linear.cpp in src/smpi/colls/bcast.  Segments
 * move between nodes and within nodes at the same time.  As in SMP_binomial, rank numbers determine
 * the nodes. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/bcast/whole.h"

/* Binary trees of nodes, and of the ranks of each node. */
static struct pipeline tree(const struct lowering *l)
{
  const uint64_t cores = lower_node_size(l, 0), node = l->rank / cores, me = l->rank % cores;
  struct pipeline p = {.first = l->rank == 0};
  if (me > 0)
    p.from = (uint32_t)(node * cores + (me - 1) / 2);
  else if (node > 0)
    p.from = (uint32_t)((node - 1) / 2 * cores);
  for (uint64_t i = 1; i <= 2 && me == 0; i++)
    pipeline_target(&p, (2 * node + i) * cores, l->ranks);
  for (uint64_t i = 1; i <= 2; i++)
    pipeline_target(&p, node * cores + 2 * me + i, (node + 1) * cores);
  whole_segments(l, &p);
  return p;
}

/* Chains of leaders, and of the ranks of each node.  With one rank per node, SMPI's leaders send
 * everything to the next leader twice, and the last one to rank 0, where no receive matches. */
static struct pipeline chain(const struct lowering *l)
{
  const uint64_t cores = lower_node_size(l, 0), node = l->rank / cores, me = l->rank % cores;
  struct pipeline p = {.first = l->rank == 0};
  if (l->rank > 0)
    p.from = (uint32_t)(l->rank - (me == 0 ? cores : 1));
  if (me == 0)
    pipeline_target(&p, l->rank + cores, l->ranks);
  pipeline_target(&p, (uint64_t)l->rank + 1, (node + 1) * cores);
  whole_segments(l, &p);
  return p;
}

enum { TREE, CHAIN };

static struct pipeline pipeline(const struct lowering *l)
{
  return l->algorithm->variant == TREE ? tree(l) : chain(l);
}

static uint64_t steps(const struct lowering *l)
{
  const struct pipeline p = pipeline(l);
  return pipeline_steps(&p);
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct pipeline p = pipeline(l);
  return pipeline_step(&p, i, op);
}

static const struct lower_algorithm TREES = {.steps = steps, .step = step, .variant = TREE};
static const struct lower_algorithm CHAINS = {.steps = steps, .step = step, .variant = CHAIN};

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  if (k == 0)
    return lower_prepared(l);
  if (l->algorithm->part == &CHAINS && lower_nodes(l) == 1)
    return k == 1 ? &lower_bcast_binomial_tree : NULL;
  if (!lower_uniform(l))
    return k == 1 ? &lower_bcast_mpich : NULL;
  if (k == 1)
    return &lower_bcast_to_first;
  if (k == 2)
    return l->algorithm->part;
  return k == 3 ? whole_rest(l, sub) : NULL;
}

const struct lower_algorithm lower_bcast_smp_binary = {
    .row = {"SMP_binary", "to rank 0, then segments down binary trees of nodes and within each",
            "bcast/bcast-SMP-binary.cpp"},
    .piece = piece,
    .part = &TREES};

const struct lower_algorithm lower_bcast_smp_linear = {
    .row = {"SMP_linear", "to rank 0, then segments along chains of nodes and within each",
            "bcast/bcast-SMP-linear.cpp"},
    .piece = piece,
    .part = &CHAINS};

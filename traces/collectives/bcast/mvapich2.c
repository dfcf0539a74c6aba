#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/levels.h"
#include "traces/collectives/shapes/tree.h"

/* --- between the leaders ---------------------------------------------------------------------- */

static const struct lower_algorithm *inter_piece(const struct lowering *l, uint32_t k,
                                                 struct lowering *sub)
{
  if (k == 0)
    return lower_prepared(l);
  if (k == 1)
    return &levels_bcast_from_root;
  if (k > 2)
    return NULL;
  if (!lower_enter(l, LOWER_LEADERS, sub))
    return &lower_nothing;
  sub->root = lower_node_of(l, l->root);
  return l->between == NULL ? &lower_bcast_mpich : l->between;
}

const struct lower_algorithm lower_bcast_mvapich2_inter_node = {
    .row = {"mvapich2_inter_node", "to leaders", "bcast/bcast-mvapich-smp.cpp"},
    .piece = inter_piece};

/* Runs @p a within a node; the leader has the message. */
static const struct lower_algorithm *in_node(const struct lowering *l,
                                             const struct lower_algorithm *a, struct lowering *sub)
{
  lower_enter(l, LOWER_NODE, sub);
  return a;
}

/* SMPI sends the message to the leaders only; here it reaches all ranks. */
static const struct lower_algorithm *whole_piece(const struct lowering *l, uint32_t k,
                                                 struct lowering *sub)
{
  if (k == 0)
    return &lower_bcast_mvapich2_inter_node;
  return k == 1 ? in_node(l, &lower_bcast_mpich, sub) : NULL;
}

const struct lower_algorithm lower_bcast_mvapich2_inter_node_whole = {
    .row = {"mvapich2_inter_node", "to leaders as MPICH does, then within each node",
            "bcast/bcast-mvapich-smp.cpp"},
    .piece = whole_piece};

/* --- a tree of fan-out 4 ---------------------------------------------------------------------- */

static uint64_t knomial_steps(const struct lowering *l)
{
  return 1 + TREE_FOUR * ((lower_rounds(l->ranks) + 1) / 2);
}

static bool knomial_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t rel = tree_relative(l), own = tree_four_own(l);
  if (i == 0)
    return rel != 0 && lower_recv(op, tree_four_parent(l), LOWER_TAG_BCAST, l->send_bytes);
  const uint64_t mask = own >> 2 * ((i - 1) / TREE_FOUR + 1), k = (i - 1) % TREE_FOUR + 1;
  if (mask == 0)
    return false;
  if (k == TREE_FOUR)
    return lower_waitall(op);
  return rel + mask * k < l->ranks &&
         lower_isend(op, tree_absolute(l, rel + mask * k), LOWER_TAG_BCAST, l->send_bytes);
}

static const struct lower_algorithm knomial = {.steps = knomial_steps, .step = knomial_step};

const struct lower_algorithm lower_bcast_mvapich2_knomial_intra_node = {
    .row = {"mvapich2_knomial_intra_node", "a tree in which a rank sends to three others per level",
            "bcast/bcast-mvapich-smp.cpp"},
    .pieces = LOWER_PIECES(&lower_prepare, &knomial)};

/* --- mvapich2_intra_node ---------------------------------------------------------------------- */

/* Within a node, SMPI takes the root's number in the communicator as root.  Here the leader is the
 * root. */
static const struct lower_algorithm *intra_piece(const struct lowering *l, uint32_t k,
                                                 struct lowering *sub)
{
  const uint64_t bytes = l->send_bytes;
  if (bytes == 0)
    return NULL;
  if (k == 0)
    return lower_prepared(l);
  if (l->ranks > 64 || (bytes > 16384 && bytes < 524288)) {
    if (k == 1)
      return &lower_bcast_mvapich2_inter_node;
    return k > 2 ? NULL
                 : in_node(l,
                           bytes <= 131072 ? &lower_bcast_mpich
                                           : &lower_bcast_mvapich2_knomial_intra_node,
                           sub);
  }
  if (k > 1)
    return NULL;
  return bytes <= 16384 ? &lower_bcast_binomial_tree : &lower_bcast_scatter_lr_allgather;
}

const struct lower_algorithm lower_bcast_mvapich2_intra_node = {
    .row = {"mvapich2_intra_node",
            "by size: mvapich2_inter_node and then within each node, or flat",
            "bcast/bcast-mvapich-smp.cpp"},
    .piece = intra_piece};

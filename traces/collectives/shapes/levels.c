#include "traces/collectives/shapes/levels.h"

/* The leader of the node of @p rank. */
static uint32_t leader_of(const struct lowering *l, uint32_t rank)
{
  return lower_leader(l, lower_node_of(l, rank));
}

uint32_t levels_cores(const struct lowering *l)
{
  return lower_uniform(l) ? lower_node_size(l, 0) : 1;
}

const struct lower_algorithm *levels_within(const struct lowering *l,
                                            const struct lower_algorithm *a, struct lowering *sub)
{
  const uint32_t n = levels_cores(l);
  lower_slice(l, l->rank / n * n, 1, n, sub);
  return a;
}

const struct lower_algorithm *levels_between(const struct lowering *l,
                                             const struct lower_algorithm *a, struct lowering *sub)
{
  const uint32_t n = levels_cores(l);
  if (l->rank % n != 0)
    return &lower_nothing;
  lower_slice(l, 0, n, l->ranks / n, sub);
  return a;
}

bool levels_enter_leaders(const struct lowering *l, struct lowering *sub)
{
  const uint64_t cores = lower_node_size(l, 0);
  if (!lower_enter(l, LOWER_LEADERS, sub))
    return false;
  sub->root = lower_node_of(l, l->root);
  sub->send_bytes = l->send_bytes * cores;
  sub->recv_bytes = l->recv_bytes * cores;
  sub->count = l->count * cores;
  return true;
}

static bool leads(const struct lowering *l)
{
  return leader_of(l, l->rank) == l->rank;
}

/* --- gatherv and scatterv ----------------------------------------------------------------- */

static uint64_t rooted_steps(const struct lowering *l)
{
  if (!leads(l))
    return 0;
  return lower_node_of(l, l->rank) == lower_node_of(l, l->root) ? (uint64_t)lower_nodes(l) + 1 : 2;
}

/* Message from the leader of node @p from to the leader of node @p to, with the blocks of @p from
 * in gatherv and of @p to in scatterv. */
static bool move(const struct lowering *l, uint32_t from, uint32_t to, int32_t tag, struct op *op)
{
  const uint64_t size = lower_node_size(l, tag == LOWER_TAG_GATHERV ? from : to);
  if (lower_node_of(l, l->rank) == from)
    return lower_isend(op, lower_leader(l, to), tag, size * l->send_bytes);
  return lower_irecv(op, lower_leader(l, from), tag, size * l->recv_bytes);
}

/* The node that sends or receives in step @p i.  The leader of the root's node serves the nodes in
 * order; another leader only serves its own node. */
static uint32_t other_node(const struct lowering *l, uint64_t i)
{
  const uint32_t mine = lower_node_of(l, l->rank);
  return mine == lower_node_of(l, l->root) ? (uint32_t)i : mine;
}

static bool rooted_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const int32_t tag = l->algorithm->variant;
  const uint32_t node = other_node(l, i), top = lower_node_of(l, l->root);
  if (i + 1 == rooted_steps(l))
    return lower_waitall(op);
  if (node == top)
    return false;
  return tag == LOWER_TAG_GATHERV ? move(l, node, top, tag, op) : move(l, top, node, tag, op);
}

const struct lower_algorithm levels_gather = {
    .steps = rooted_steps, .step = rooted_step, .variant = LOWER_TAG_GATHERV};
const struct lower_algorithm levels_scatter = {
    .steps = rooted_steps, .step = rooted_step, .variant = LOWER_TAG_SCATTERV};

/* --- allgatherv --------------------------------------------------------------------------- */

static uint64_t all_steps(const struct lowering *l)
{
  return leads(l) ? 2 * (uint64_t)lower_nodes(l) + 1 : 0;
}

static bool all_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint32_t mine = lower_node_of(l, l->rank), node = (uint32_t)(i / 2);
  if (node == lower_nodes(l))
    return lower_waitall(op);
  if (node == mine)
    return false;
  const uint32_t leader = lower_leader(l, node);
  if (i % 2 == 0)
    return lower_isend(op, leader, LOWER_TAG_ALLGATHERV, lower_node_size(l, mine) * l->send_bytes);
  return lower_irecv(op, leader, LOWER_TAG_ALLGATHERV, lower_node_size(l, node) * l->recv_bytes);
}

const struct lower_algorithm levels_allgather = {.steps = all_steps, .step = all_step};

/* --- between the root and its leader ------------------------------------------------------ */

static uint64_t root_steps(const struct lowering *l)
{
  (void)l;
  return 1;
}

/* A message of a reduce or bcast, or all blocks of a gather or scatter. */
static bool root_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const int32_t tag = l->algorithm->variant;
  const bool up = tag == LOWER_TAG_GATHER || tag == LOWER_TAG_REDUCE;
  const bool blocks = tag == LOWER_TAG_GATHER || tag == LOWER_TAG_SCATTER;
  const uint32_t leader = leader_of(l, l->root);
  const uint32_t from = up ? leader : l->root, to = up ? l->root : leader;
  (void)i;
  if (from == to)
    return false;
  if (l->rank == from)
    return lower_send(op, to, tag, blocks ? l->send_bytes * l->ranks : l->send_bytes);
  return l->rank == to &&
         lower_recv(op, from, tag, blocks ? l->recv_bytes * l->ranks : l->send_bytes);
}

#define ROOT_STEP(NAME, TAG)                                                                       \
  const struct lower_algorithm NAME = {.steps = root_steps, .step = root_step, .variant = TAG};

ROOT_STEP(levels_gather_to_root, LOWER_TAG_GATHER)
ROOT_STEP(levels_reduce_to_root, LOWER_TAG_REDUCE)
ROOT_STEP(levels_scatter_from_root, LOWER_TAG_SCATTER)
ROOT_STEP(levels_bcast_from_root, LOWER_TAG_BCAST)

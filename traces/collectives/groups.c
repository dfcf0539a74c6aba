/* Groups of the ranks that take part in a collective: the communicator, one of its nodes, the
 * leaders of its nodes, or a single rank (enum lower_group). */
#include <assert.h>

#include "traces/collectives/lower.h"
#include "traces/collectives/nodes.h"

/* True if the group is the whole communicator and l->nodes is set.  Sets *l->asks_hosts. */
static bool spread(const struct lowering *l)
{
  if (l->asks_hosts != NULL)
    *l->asks_hosts = true;
  return l->group == LOWER_ALL && l->nodes != NULL;
}

/* True if each rank of the group has its own node. */
static bool apart(const struct lowering *l)
{
  return l->group == LOWER_LEADERS || (l->group == LOWER_ALL && l->nodes == NULL);
}

static enum lower_group inner(const struct lowering *l, enum lower_group group)
{
  if (l->group == LOWER_ALL)
    return group;
  return l->group == group ? group : LOWER_SELF;
}

/* Number of the rank within its node. */
static uint32_t place_of(const struct lowering *l)
{
  if (spread(l))
    return l->nodes->place[l->rank];
  return apart(l) ? 0 : l->rank;
}

bool lower_enter(const struct lowering *l, enum lower_group group, struct lowering *sub)
{
  const uint32_t node = lower_node_of(l, l->rank);
  const bool leads = lower_leader(l, node) == l->rank;
  const bool of_node = group == LOWER_NODE;
  assert(l->stride == 0);
  if (!of_node && !leads)
    return false;
  *sub = *l;
  sub->group = inner(l, group);
  sub->depth = l->depth + 1;
  sub->rank = of_node ? place_of(l) : node;
  sub->ranks = of_node ? lower_node_size(l, node) : lower_nodes(l);
  sub->root = 0;
  sub->between = sub->within = NULL;
  return true;
}

void lower_slice(const struct lowering *l, uint32_t first, uint32_t stride, uint32_t ranks,
                 struct lowering *sub)
{
  assert(l->stride == 0);
  *sub = *l;
  sub->first = first;
  sub->stride = stride;
  sub->rank = (l->rank - first) / stride;
  sub->ranks = ranks;
  sub->root = 0;
}

uint64_t lower_group_bit(const struct lowering *l)
{
  return UINT64_C(1) << (LOWER_POSTED * l->depth + l->group);
}

const struct lower_algorithm *lower_prepared(const struct lowering *l)
{
  return (l->prepared & lower_group_bit(l)) != 0 ? &lower_nothing : &lower_prepare;
}

uint32_t lower_member(const struct lowering *l, uint32_t rank)
{
  if (l->group == LOWER_ALL)
    return rank;
  if (l->group == LOWER_SELF || l->nodes == NULL)
    return l->group == LOWER_LEADERS ? rank : l->member;
  const struct nodes *n = l->nodes;
  return l->group == LOWER_NODE ? n->member[n->first[n->node[l->member]] + rank]
                                : n->member[n->first[rank]];
}

uint32_t lower_nodes(const struct lowering *l)
{
  if (spread(l))
    return l->nodes->count;
  return apart(l) ? l->ranks : 1;
}

uint32_t lower_node_of(const struct lowering *l, uint32_t rank)
{
  if (spread(l))
    return l->nodes->node[rank];
  return apart(l) ? rank : 0;
}

uint32_t lower_node_size(const struct lowering *l, uint32_t node)
{
  if (spread(l))
    return l->nodes->first[node + 1] - l->nodes->first[node];
  return apart(l) ? 1 : l->ranks;
}

uint32_t lower_leader(const struct lowering *l, uint32_t node)
{
  if (spread(l))
    return l->nodes->member[l->nodes->first[node]];
  return apart(l) ? node : 0;
}

bool lower_uniform(const struct lowering *l)
{
  return !spread(l) || l->nodes->uniform;
}

bool lower_blocked(const struct lowering *l)
{
  return !spread(l) || l->nodes->blocked;
}

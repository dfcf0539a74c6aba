/** @file tree.h
 *  Private to traces/: ranks relative to a root, and the binomial tree over them.
 */
#pragma once

#include "traces/collectives/lower.h"

/** The rank relative to the root, which is 0. */
static inline uint32_t tree_relative(const struct lowering *l)
{
  return l->rank >= l->root ? l->rank - l->root : l->rank + (l->ranks - l->root);
}

/** The inverse of tree_relative(). */
static inline uint32_t tree_absolute(const struct lowering *l, uint64_t relative)
{
  return (uint32_t)((relative + l->root) % l->ranks);
}

/** The lowest set bit of the relative rank: the distance to its parent in the binomial tree.  For
 *  the root, the least power of two that is not below the number of ranks. */
static inline uint64_t tree_own_bit(const struct lowering *l)
{
  const uint64_t rel = tree_relative(l);
  return rel == 0 ? UINT64_C(1) << lower_rounds(l->ranks) : rel & (~rel + 1);
}

/** Steps of a leaf in which each rank has a step for its parent and one for each possible child in
 *  the binomial tree. */
static inline uint64_t tree_steps(const struct lowering *l)
{
  return (uint64_t)lower_rounds(l->ranks) + 1;
}

/** Number of ranks in the binomial subtree of relative rank @p rel with own bit @p bit. */
static inline uint64_t tree_size(const struct lowering *l, uint64_t rel, uint64_t bit)
{
  return bit < l->ranks - rel ? bit : l->ranks - rel;
}

/** Base of the tree in which a rank has three children per level (4-nomial tree). */
#define TREE_FOUR UINT64_C(4)

/** The largest power of four that divides the relative rank: the distance between siblings in the
 *  4-nomial tree.  For the root, the least power of four that is not below the number of ranks. */
static inline uint64_t tree_four_own(const struct lowering *l)
{
  const uint64_t rel = tree_relative(l);
  uint64_t own = 1;
  while (own < l->ranks && rel % (TREE_FOUR * own) == 0)
    own *= TREE_FOUR;
  return own;
}

/** The parent in the 4-nomial tree of a rank other than the root. */
static inline uint32_t tree_four_parent(const struct lowering *l)
{
  const uint64_t rel = tree_relative(l);
  return tree_absolute(l, rel - rel % (TREE_FOUR * tree_four_own(l)));
}

/** @file ompi_tree.h
 *  Private to traces/: the trees of Open MPI's algorithms, as one rank sees them.
 */
#pragma once

#include "traces/collectives/lower.h"

/** Maximum number of children of a rank: Open MPI's limit for chains, and the bits of a rank for
 *  other trees. */
#define OMPI_TREE_CHILDREN 32

struct ompi_tree {
  uint32_t parent; /**< the rank itself if it is the root */
  uint32_t children;
  uint32_t child[OMPI_TREE_CHILDREN]; /**< in the order of their messages */
};

/** Chains below the root: @p fanout of them, but at least 1, at most OMPI_TREE_CHILDREN and at most
 *  the number of other ranks.  Their lengths differ by at most one rank. */
struct ompi_tree ompi_tree_chain(const struct lowering *l, uint32_t fanout);

/** Binary tree, filled level by level.  The children of a rank are the ranks w and 2 w after it,
 *  where w is the number of ranks of its level. */
struct ompi_tree ompi_tree_binary(const struct lowering *l);

/** Binary tree with root ranks - 1, whatever l->root.  The ranks below a rank are consecutive; its
 *  right child has the lower half of them. */
struct ompi_tree ompi_tree_in_order_binary(const struct lowering *l);

/** Binomial tree; the nearest child comes first. */
struct ompi_tree ompi_tree_binomial(const struct lowering *l);

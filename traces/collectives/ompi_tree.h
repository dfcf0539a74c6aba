/** @file ompi_tree.h
 *  Private to traces/: the trees of Open MPI's algorithms, as one rank sees them.
 */
#ifndef TRACES_COLLECTIVES_OMPI_TREE_H
#define TRACES_COLLECTIVES_OMPI_TREE_H

#include "traces/collectives/lower.h"

/** As many children as a rank can have: of a chain by Open MPI's limit, else by 32 bits. */
#define OMPI_TREE_CHILDREN 32

struct ompi_tree {
  uint32_t parent; /**< of the root: itself */
  uint32_t children;
  uint32_t child[OMPI_TREE_CHILDREN]; /**< in the order in which they are served */
};

/** The root has @p fanout children (1 to OMPI_TREE_CHILDREN; others are replaced by the nearest),
 *  each of which begins a chain; the chains are as long, or one rank shorter. */
struct ompi_tree ompi_tree_chain(const struct lowering *l, uint32_t fanout);

/** Binary tree, filled level by level; the children of one rank are a level's width apart. */
struct ompi_tree ompi_tree_binary(const struct lowering *l);

/** Binary tree with root ranks - 1, whatever l->root says: the ranks below a rank are consecutive,
 *  and its right child has the lower half of them. */
struct ompi_tree ompi_tree_in_order_binary(const struct lowering *l);

/** Binomial tree, the nearest child first. */
struct ompi_tree ompi_tree_binomial(const struct lowering *l);

#endif

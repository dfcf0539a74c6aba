/** @file levels.h
 *  Private to traces/: parts of two-level algorithms.  A node consists of the ranks of a host; its
 *  first rank is its leader.  The leaves run in the whole group, usually LOWER_ALL.
 */
#pragma once

#include "traces/collectives/lower.h"

/** Number of ranks per node if it is the same for all nodes; 1 if not, so that each rank counts as
 *  a node.  SMPI's algorithms that use this number take ranks 0..cores-1 as the first node and so
 *  on, whatever their hosts. */
uint32_t levels_cores(const struct lowering *l);

/** Sets *sub to the collective of the rank's node and returns @p a.  Nodes are blocks of
 *  levels_cores() consecutive ranks, which are the real nodes only if lower_blocked(). */
const struct lower_algorithm *levels_within(const struct lowering *l,
                                            const struct lower_algorithm *a, struct lowering *sub);

/** Sets *sub to the collective of the first ranks of the nodes of levels_within() and returns @p a;
 *  returns lower_nothing on other ranks. */
const struct lower_algorithm *levels_between(const struct lowering *l,
                                             const struct lower_algorithm *a, struct lowering *sub);

/** Enters the group of leaders.  Each leader stands for its node: blocks are multiplied by the
 *  ranks per node, which must be the same for all nodes, and the root is the leader of the root's
 *  node.  False if the rank is no leader. */
bool levels_enter_leaders(const struct lowering *l, struct lowering *sub);

/** A leaf (lower.h) of gatherv, for nodes of any sizes: all leaders at once send the blocks of
 *  their nodes to the leader of the root's node. */
extern const struct lower_algorithm levels_gather;

/** The reverse of levels_gather (scatterv). */
extern const struct lower_algorithm levels_scatter;

/** A leaf of allgatherv: all leaders at once send the blocks of their nodes to all other
 *  leaders. */
extern const struct lower_algorithm levels_allgather;

/** Leaves: if the root is no leader, the leader of its node sends all blocks, or the message, to
 *  the root. */
extern const struct lower_algorithm levels_gather_to_root, levels_reduce_to_root;

/** Leaves: if the root is no leader, it sends all blocks, or the message, to the leader of its
 *  node.
 */
extern const struct lower_algorithm levels_scatter_from_root, levels_bcast_from_root;

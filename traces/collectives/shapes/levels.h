/** @file levels.h
 *  Private to traces/: parts of two-level algorithms.  A node consists of the ranks of a host; its
 *  first rank is its leader.  Steps are steps of the whole group, usually LOWER_ALL.
 */
#pragma once

#include "traces/collectives/lower.h"

/** Number of ranks per node if it is the same for all nodes; 1 if not, so that each rank counts as
 *  a node.  SMPI's algorithms that use this number take ranks 0..cores-1 as the first node and so
 *  on, whatever their hosts. */
uint32_t levels_cores(const struct lowering *l);

/** Sets *sub to the rank's node and returns @p a.  Takes levels_cores() consecutive ranks as a
 *  node, which is correct only if the ranks are blocked. */
const struct lower_algorithm *levels_within(const struct lowering *l,
                                            const struct lower_algorithm *a, struct lowering *sub);

/** As levels_within(), for the first ranks of all nodes; lower_nothing for other ranks. */
const struct lower_algorithm *levels_between(const struct lowering *l,
                                             const struct lower_algorithm *a, struct lowering *sub);

/** Enters the group of leaders.  Each leader stands for its node: blocks are multiplied by the
 *  ranks per node, which must be the same for all nodes, and the root is the leader of the root's
 *  node.  False if the rank is no leader. */
bool levels_enter_leaders(const struct lowering *l, struct lowering *sub);

/** A leaf for nodes of any sizes (gatherv): all leaders at once send the blocks of their nodes to
 *  the leader of the root's node. */
extern const struct lower_algorithm levels_gather;

/** The reverse of levels_gather (scatterv). */
extern const struct lower_algorithm levels_scatter;

/** A leaf (allgatherv): all leaders at once send the blocks of their nodes to all other leaders. */
extern const struct lower_algorithm levels_allgather;

/** Leaves: the leader of the root's node sends all blocks, or the message, to the root, if the root
 *  is another rank. */
extern const struct lower_algorithm levels_gather_to_root, levels_reduce_to_root;

/** The reverse of these. */
extern const struct lower_algorithm levels_scatter_from_root, levels_bcast_from_root;

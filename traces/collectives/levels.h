/** @file levels.h
 *  Private to traces/: what algorithms in two levels share: nodes (the ranks of a host) and leaders
 *  (the first rank of each).  All steps are those of the whole group, LOWER_ALL as a rule.
 */
#ifndef TRACES_COLLECTIVES_LEVELS_H
#define TRACES_COLLECTIVES_LEVELS_H

#include "traces/collectives/lower.h"

/** The leader of the node of @p rank. */
uint32_t levels_leader_of(const struct lowering *l, uint32_t rank);

/** Ranks of every node, if all have as many; else 1, so that each rank counts as a node.  SMPI's
 *  algorithms that ask this take ranks 0..cores-1 for the first node and so on, wherever they are.
 */
uint32_t levels_cores(const struct lowering *l);

/** Where rank numbers decide who is on which node, levels_cores() consecutive ones, which is right
 *  only if the ranks are blocked: what the ranks of the rank's node, *sub, do is @p a. */
const struct lower_algorithm *levels_within(const struct lowering *l,
                                            const struct lower_algorithm *a, struct lowering *sub);

/** Likewise what the first ranks of all nodes do; the others do nothing. */
const struct lower_algorithm *levels_between(const struct lowering *l,
                                             const struct lower_algorithm *a, struct lowering *sub);

/** Enters the group of leaders; each stands for its node: blocks have send_bytes and recv_bytes for
 *  each rank of it, and the root is the leader of the root's node.  Nodes have as many ranks. False
 *  if the rank is no leader. */
bool levels_enter_leaders(const struct lowering *l, struct lowering *sub);

/** A leaf of nodes of any sizes: each leader sends the blocks of its node to the leader of the
 *  root's, all at once (gatherv). */
extern const struct lower_algorithm levels_gather;

/** The reverse of levels_gather (scatterv). */
extern const struct lower_algorithm levels_scatter;

/** A leaf: each leader sends the blocks of its node to all others, all at once (allgatherv). */
extern const struct lower_algorithm levels_allgather;

/** The one step of a leaf: the root gives its message to the leader of its node, or with @p back
 *  gets it from there.  False: the rank has no part in it, or the root leads. */
bool levels_hand_over(const struct lowering *l, bool back, int32_t tag, struct op *op);

/** A leaf: all blocks go from the leader of the root's node to the root, which is another rank. */
extern const struct lower_algorithm levels_to_root;

/** The reverse of levels_to_root. */
extern const struct lower_algorithm levels_from_root;

#endif

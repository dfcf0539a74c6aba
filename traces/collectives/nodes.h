/** @file nodes.h
 *  Private to traces/: which members of a communicator share a host, for algorithms in two levels.
 *  Nodes are numbered by their first member, as the leaders in SMPI's Comm::init_smp().
 */
#ifndef TRACES_COLLECTIVES_NODES_H
#define TRACES_COLLECTIVES_NODES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/collectives/collective.h"
#include "traces/comm.h"

struct nodes {
  uint32_t count;
  uint32_t *node;   /**< of each member; owned, as the others */
  uint32_t *place;  /**< of each member within its node, from 0 */
  uint32_t *first;  /**< of each node, and one more: index into member */
  uint32_t *member; /**< node by node, in ascending order */
  bool uniform;     /**< all nodes have as many members */
  bool blocked;     /**< each node has consecutive members */
};

/** The nodes of the communicator @p c of a world of @p ranks, whose hosts @p on says.  NULL on
 *  failure.  O(members log members). */
struct nodes *nodes_new(const struct comm *c, uint32_t ranks, const struct collectives *on,
                        struct err *e);

/** Accepts NULL. */
void nodes_free(struct nodes *n);

#endif

/** @file nodes.h
 *  Private to traces/: the members of a communicator by host, for two-level algorithms.  Nodes are
 *  numbered in the order of their first members, as the leaders in SMPI's Comm::init_smp().
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/collectives/collective.h"
#include "traces/comm.h"

struct nodes {
  uint32_t count;
  uint32_t *node;   /**< by member: its node; owned, as the other arrays */
  uint32_t *place;  /**< by member: its number within its node, from 0 */
  uint32_t *first;  /**< by node, and one entry more: index into member[] */
  uint32_t *member; /**< members, sorted by node, then ascending */
  bool uniform;     /**< all nodes have the same number of members */
  bool blocked;     /**< the members of each node are consecutive */
};

/** Finds the nodes of the communicator @p c in a world of @p ranks ranks, with the hosts in @p on.
 *  NULL on failure.  O(members log members). */
struct nodes *nodes_new(const struct comm *c, uint32_t ranks, const struct collectives *on,
                        struct err *e);

/** Accepts NULL. */
void nodes_free(struct nodes *n);

/** @file paths.h
 *  Shortest paths in the graph of a Floyd or Dijkstra zone, with the ties of SimGrid 3.32
 *  (src/kernel/routing/FloydZone.cpp and DijkstraZone.cpp).  For platforms/network/ only.
 */
#pragma once

#include "common/containers/heap.h"
#include "platforms/network/network.h"

/** Cached searches, up to 64 MiB.  Zeroed except for @p n: no searches. */
struct paths {
  const struct network *n;
  struct pairs searched; /**< zone and start node of each cached search */
  uint32_t **search;     /**< by number in `searched`: result for each node, see paths.c */
  size_t search_room, kept;
  uint64_t *cost; /**< scratch memory of a search */
  size_t cost_room;
  struct heap queue;
};

void paths_clear(struct paths *p);

/** Sets *out to the node before @p to on the path from @p from, or to NETWORK_NONE if there is no
 *  path.  From a node to itself, the path is a cycle.  O(routes log nodes) for the first path from
 *  a node, then O(1). */
enum status paths_before(struct paths *p, uint32_t zone, uint32_t from, uint32_t to, uint32_t *out,
                         struct err *e);

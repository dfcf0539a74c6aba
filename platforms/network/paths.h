/** @file paths.h
 *  Shortest paths in the graph of a zone of routing Floyd or Dijkstra, with the ties of SimGrid
 *  3.32 (src/kernel/routing/FloydZone.cpp and DijkstraZone.cpp).  For platforms/network/ only.
 */
#ifndef PLATFORMS_NETWORK_PATHS_H
#define PLATFORMS_NETWORK_PATHS_H

#include "common/heap.h"
#include "platforms/network/network.h"

/** Searches, kept within 64 MiB.  Zeroed but for @p n: none. */
struct paths {
  const struct network *n;
  struct pairs searched; /**< zones and nodes whose searches are kept */
  uint32_t **search;     /**< by pair: for each node a node, see paths.c */
  size_t search_room, kept;
  uint64_t *cost; /**< of a search */
  size_t cost_room;
  struct heap queue;
};

void paths_clear(struct paths *p);

/** The node of a point of the zone. */
uint32_t paths_node(const struct network *n, const struct zone *z, uint32_t point);

/** Sets *out to the node before @p to on the path from @p from, which may be the same node (a
 *  circle); NETWORK_NONE: there is no path.  O(routes log nodes) for the first path from a node,
 *  then O(1). */
enum status paths_before(struct paths *p, uint32_t zone, uint32_t from, uint32_t to, uint32_t *out,
                         struct err *e);

#endif

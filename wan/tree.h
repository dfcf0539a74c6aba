/** @file tree.h
 *  The spanning tree that carries the control messages of MC-MPI (3.5): the connections on the
 *  routes of all processes to one of them, the root.
 */
#ifndef WAN_TREE_H
#define WAN_TREE_H

#include <stdint.h>

#include "common/err.h"
#include "wan/adjacency.h"
#include "wan/routing.h"

/** The tree of @p graph, whose routes @p r holds; refuses a graph in which @p root is not reached
 *  from everywhere, with the processes that are cut off.  The caller's: adjacency_clear().  Routes
 *  on it: routing_new(). */
enum status tree_new(struct adjacency *out, const struct adjacency *graph, const struct routing *r,
                     uint32_t root, struct err *e);

#endif

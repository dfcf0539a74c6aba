/** @file tree.h
 *  The spanning tree that carries the control messages of MC-MPI (3.5).  It consists of the
 *  connections on the routes of all processes to the root.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "wan/adjacency.h"
#include "wan/routing.h"

/** Builds the tree from @p graph and its routes @p r.  Fails if a process has no route to @p root;
 *  the error names the first one.  Free with adjacency_clear().  routing_new() computes the routes
 *  on the tree. */
enum status tree_new(struct adjacency *out, const struct adjacency *graph, const struct routing *r,
                     uint32_t root, struct err *e);
